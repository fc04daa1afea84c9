"""The modules of a page that are fetched at once: all that its script imports, in any depth, and no other."""

from pathlib import Path

from protocols.web.app import STATIC
from protocols.web.modules import modules_of


def test_modules_are_found_in_any_depth_and_named_once(tmp_path: Path) -> None:
    (tmp_path / "deep").mkdir()
    (tmp_path / "page.js").write_text(
        'import { a } from "./a.js";\nimport {\n  b,\n} from "./deep/b.js";\nimport "./missing.js";\n'
        'const late = () => import("./late.js");\n'
    )
    (tmp_path / "a.js").write_text('import { page } from "./page.js";\nexport const a = "./x.js";\n')
    (tmp_path / "deep/b.js").write_text('export * from "../c.js";\n')
    for name in ("c.js", "late.js", "x.js"):
        (tmp_path / name).write_text("")
    assert modules_of(tmp_path, "page.js") == ["page.js", "a.js", "deep/b.js", "c.js"]
    assert modules_of(tmp_path, "none.js") == []


def test_the_page_of_fights_loads_its_player_at_once_and_the_primer_later() -> None:
    modules = modules_of(STATIC, "corewar.js")
    assert {"corewar_player.js", "corewar_replay.js", "dom.js"} <= set(modules)
    assert "corewar_primer.js" not in modules
