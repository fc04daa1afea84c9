"""The counts of the positional genes read a second time, slowly and literally, with python-chess."""

from collections import Counter
from collections.abc import Iterable
from functools import partial

import chess

Weight = tuple[str, str, str]  # gene, row, label

PIECES = (chess.KNIGHT, chess.BISHOP, chess.ROOK, chess.QUEEN)
NAMES = {"P": "Pawns", "N": "Knights", "B": "Bishops", "R": "Rooks", "Q": "Queens"}
MINORS = (chess.KNIGHT, chess.BISHOP)
SEEN_THROUGH = {chess.BISHOP: (chess.QUEEN,), chess.ROOK: (chess.QUEEN, chess.ROOK)}  # own pieces only


def counts(board: chess.Board) -> Counter[Weight]:
    """How often each weight counts, White's number minus Black's; what is missing is 0."""
    white, black = Army(board, chess.WHITE), Army(board, chess.BLACK)
    difference = Reading(white, black).found
    difference.subtract(Reading(black, white).found)
    return difference


class Army:
    """A side's pieces, and what each of them sees."""

    def __init__(self, board: chess.Board, color: chess.Color) -> None:
        self.board = board
        self.color = color
        king = board.king(color)
        assert king is not None
        self.king = king
        self.occupied = {square for square, piece in board.piece_map().items() if piece.color == color}
        self.pawns = set(self.of_kind(chess.PAWN))
        self.by_pawns = {target for pawn in self.pawns for target in board.attacks(pawn)}
        self.by_king = set(board.attacks(king))
        self.sees = {square: self._sees(square) for square in self.of_kind(*PIECES)}
        self.by_any = self.by_pawns.union(*self.sees.values())  # all but the king
        self.defended = self.by_any | self.by_king

    def _sees(self, square: chess.Square) -> set[chess.Square]:
        without = self.board.copy(stack=False)
        kind = self.board.piece_type_at(square)
        for other in self.of_kind(*SEEN_THROUGH.get(kind or 0, ())):
            if other != square:
                without.remove_piece_at(other)
        return set(without.attacks(square))

    def of_kind(self, *kinds: chess.PieceType) -> list[chess.Square]:
        return [square for kind in kinds for square in self.board.pieces(kind, self.color)]

    def seen_by(self, *kinds: chess.PieceType) -> set[chess.Square]:
        return {target for square in self.of_kind(*kinds) for target in self.sees[square]}

    def name(self, square: chess.Square) -> str:
        return chess.piece_name(self.board.piece_type_at(square) or 0).capitalize()

    def rank(self, square: chess.Square) -> int:
        """From 1 to 8, as the side counts."""
        return chess.square_rank(square) + 1 if self.color else 8 - chess.square_rank(square)

    def ahead(self, square: chess.Square) -> list[chess.Square]:
        """The squares in front of this one on its file, the nearest first."""
        return sorted((s for s in chess.SQUARES if self.faces(square, [s])), key=self.rank)

    def faces(self, square: chess.Square, others: Iterable[chess.Square], beside: int = 0) -> bool:
        """Is any of the others on a rank ahead, on this file or one at most so far beside it?"""
        file = chess.square_file(square)
        near = [other for other in others if abs(chess.square_file(other) - file) <= beside]
        return any(self.rank(other) > self.rank(square) for other in near)

    def near_king(self) -> set[chess.Square]:
        """The king's square, those around it, and a row more towards the enemy."""
        near = {square for square in chess.SQUARES if chess.square_distance(square, self.king) <= 1}
        return near.union(*(self.ahead(square)[:1] for square in near))

    def attackers(self, square: chess.Square) -> int:
        """How many attack a square, the king among them."""
        pawns = [pawn for pawn in self.pawns if square in self.board.attacks(pawn)]
        pieces = [seen for seen in self.sees.values() if square in seen]
        return len(pawns) + len(pieces) + (square in self.by_king)

    def attacks_twice(self, square: chess.Square) -> bool:
        """Do two attack a square, the king among them, and all pawns as one?"""
        pieces = [seen for seen in self.sees.values() if square in seen]
        return len(pieces) + (square in self.by_pawns) + (square in self.by_king) > 1


class Reading:
    """What one side has of each count."""

    def __init__(self, own: Army, enemy: Army) -> None:
        self.own, self.enemy, self.board = own, enemy, own.board
        self.occupied = own.occupied | enemy.occupied
        self.found: Counter[Weight] = Counter()
        self.pieces()
        self.king_attack()
        self.king_shelter()
        self.threats()
        self.outposts()
        self.passers()
        self.pawn_formation()
        self.imbalance()
        self.wings()
        self.material_pairs()
        self.weak_points()
        self.pins()
        self.castling_rights()
        self.pawns_left()
        self.add("Tempo", "Turn", "", self.board.turn == own.color)

    def add(self, gene: str, row: str, label: str | int = "", number: int = 1) -> None:
        self.found[gene, row, str(label)] += number

    def pieces(self) -> None:
        """Squares, Mobility, Rook Files."""
        own = self.own
        for square in own.occupied:
            column = "abcddcba"[chess.square_file(square)]
            self.add("Squares", f"{own.name(square)} {own.rank(square)}", column)
        for square, seen in own.sees.items():
            self.add("Mobility", own.name(square), len(seen - own.pawns - {own.king} - self.enemy.by_pawns))
        for square in own.of_kind(chess.ROOK):
            file = set(chess.SquareSet(chess.BB_FILES[chess.square_file(square)]))
            if not file & own.pawns:
                self.add("Rook Files", "Half Open" if file & self.enemy.pawns else "Open")
            self.add("Rook Files", "Seventh Rank", "", own.rank(square) == 7)

    def king_attack(self) -> None:
        own, enemy, near = self.own, self.enemy, self.enemy.near_king()
        attackers = [square for square, seen in own.sees.items() if seen & near]
        number = min(len(attackers), 4)
        for square in attackers:
            self.add("King Attack", own.name(square), number, len(own.sees[square] & near))
        if attackers:
            self.add("King Attack", "Weak Square", number, len((near & own.by_any) - enemy.by_any))
        for kind, letter in zip(PIECES, "NBRQ", strict=True):
            for square in own.seen_by(kind) - own.occupied:
                supported = square not in enemy.by_any and own.attackers(square) > 1
                if square not in enemy.defended or supported:
                    there = self.board.copy(stack=False)
                    there.set_piece_at(square, chess.Piece(kind, own.color))
                    self.add("King Attack", "Safe Check", letter, enemy.king in there.attacks(square))

    def king_shelter(self) -> None:
        own, here = self.own, chess.square_file(self.own.king)
        middle = min(max(here, 1), 6)  # of a king on the rim, the two files next to it
        for file in (middle - 1, middle, middle + 1):
            squares = [square for square in chess.SQUARES if chess.square_file(square) == file]
            ahead = {square for square in squares if own.rank(square) >= own.rank(own.king)}
            shelter, storm = ahead & own.pawns, ahead & self.enemy.pawns
            blocked = any(own.ahead(pawn)[0] in storm for pawn in shelter)
            for row, pawns in (
                ("King File" if file == here else "Side File", shelter),
                ("Blocked Storm" if blocked else "Storm", storm),
            ):
                nearest = min([own.rank(pawn) for pawn in pawns], default=0)
                self.add("King Shelter", row, min(nearest, 6) or "none")

    def threats(self) -> None:
        own, enemy = self.own, self.enemy
        by_minor, by_rook = own.seen_by(*MINORS), own.seen_by(chess.ROOK)
        for kind, letter in zip(PIECES, "NBRQ", strict=True):
            for square in enemy.of_kind(kind):
                unprotected = kind not in MINORS or square not in enemy.by_pawns
                self.add("Threats", "By Pawn", letter, square in own.by_pawns)
                self.add("Threats", "By Minor", letter, square in by_minor and unprotected)
                if kind != chess.ROOK:
                    row = "minor" if kind in MINORS else "Q"
                    self.add("Threats", "By Rook", row, square in by_rook and unprotected)
        loose = enemy.occupied - enemy.defended - {enemy.king}
        self.add("Threats", "By Minor", "P", len(loose & enemy.pawns & by_minor))
        self.add("Threats", "By Rook", "P", len(loose & enemy.pawns & by_rook))
        self.add("Threats", "By King", "", len(loose & own.by_king))
        self.add("Threats", "Hanging", "", len(loose & own.by_any))
        targets: set[chess.Square] = set()
        for pawn in own.pawns:
            for step in own.ahead(pawn)[: 2 if own.rank(pawn) == 2 else 1]:
                if step in self.occupied:
                    break
                if step not in enemy.by_pawns and (step in own.by_any or step not in enemy.defended):
                    targets |= set(chess.SquareSet(chess.BB_PAWN_ATTACKS[own.color][step]))
        self.add("Threats", "By Push", "", len(targets & set(enemy.of_kind(*PIECES))))

    def outposts(self) -> None:
        own, pawns = self.own, self.enemy.pawns
        posts = set()
        for square in own.by_pawns:
            others = [pawn for pawn in pawns if chess.square_file(pawn) != chess.square_file(square)]
            if 4 <= own.rank(square) <= 6 and not own.faces(square, others, 1):
                posts.add(square)
        for square in own.of_kind(*MINORS):
            self.add("Outposts", own.name(square), "", square in posts)
            self.add("Outposts", "Behind Pawn", "", len((own.pawns | pawns) & set(own.ahead(square)[:1])))
        self.add("Outposts", "Reachable", "", len((posts & own.seen_by(chess.KNIGHT)) - own.occupied))

    def passers(self) -> None:
        own, enemy = self.own, self.enemy
        stopping = self.occupied | enemy.defended
        for pawn in own.pawns:
            if own.faces(pawn, enemy.pawns, 1):
                continue
            rank, path = own.rank(pawn), own.ahead(pawn)
            self.add("Passers", "Passed", rank)
            if path[0] in enemy.occupied:
                self.add("Passers", "Blocked", rank)
            elif path[0] not in stopping:
                self.add("Passers", "Free Step" if stopping & set(path) else "Free Path", rank)
            for row, army in (("Own", own), ("Enemy", enemy)):
                distance = min(5, chess.square_distance(army.king, path[0]))
                self.add("Passers", f"{row} King", "", max(0, rank - 3) * distance)
                self.add("Passers", f"{row} Rook Behind", "", enemy.faces(pawn, army.of_kind(chess.ROOK)))

    def pawn_formation(self) -> None:
        own, enemy = self.own, self.enemy
        for pawn in own.pawns:
            rank, file, guarded = own.rank(pawn), chess.square_file(pawn), pawn in own.by_pawns
            beside = [own.rank(other) for other in own.pawns if abs(chess.square_file(other) - file) == 1]
            is_open = "" if own.faces(pawn, enemy.pawns) else " Open"
            self.add("Pawn Formation", "Phalanx", rank, rank in beside)
            if guarded:
                self.add("Pawn Formation", "Guarded", rank)
            self.add("Pawn Formation", "Doubled", "", enemy.faces(pawn, own.pawns))
            if not beside:
                self.add("Pawn Formation", f"Isolated{is_open}")
            elif min(beside) > rank and own.ahead(pawn)[0] in enemy.pawns | enemy.by_pawns:
                self.add("Pawn Formation", f"Backward{is_open}")

    def imbalance(self) -> None:
        own = self.own
        knights, bishops, rooks = (set(own.of_kind(kind)) for kind in PIECES[:3])
        self.add("Imbalance", "Rook Pair", "", len(rooks) > 1)
        self.add("Imbalance", "Knight Pawns", "", len(knights) * len(own.pawns))
        self.add("Imbalance", "Rook Pawns", "", len(rooks) * len(own.pawns))
        shades = [set(chess.SquareSet(shade)) for shade in (chess.BB_DARK_SQUARES, chess.BB_LIGHT_SQUARES)]
        self.add("Imbalance", "Bishop Pair", "", all(squares & bishops for squares in shades))
        for squares in shades:
            self.add("Imbalance", "Bad Bishop", "", len(squares & bishops) * len(squares & own.pawns))

    def wings(self) -> None:
        own = self.own
        for square in own.occupied:
            place = (f"{own.name(square)} {own.rank(square)}", "abcddcba"[chess.square_file(square)])
            for gene, king in (("Own Wing", own.king), ("Enemy Wing", self.enemy.king)):
                if gene == "Enemy Wing" or square != king:
                    is_there = (chess.square_file(square) < 4) == (chess.square_file(king) < 4)
                    self.add(gene, *place, 1 if is_there else -1)

    def material_pairs(self) -> None:
        def numbers(army: Army) -> dict[str, int]:
            found = {kind: len(army.of_kind(chess.PIECE_SYMBOLS.index(kind.lower()))) for kind in "PNBRQ"}
            shades = {(chess.square_file(b) + chess.square_rank(b)) % 2 for b in army.of_kind(chess.BISHOP)}
            return found | {"pair": int(len(shades) == 2)}

        own, enemy = numbers(self.own), numbers(self.enemy)
        usual = {"P": 5, "N": 1, "B": 1, "R": 2, "Q": 1}
        for owner, others, kinds in (
            ("Own", own, {"P": "P", "N": "N", "B": "PNB", "R": "NBR", "Q": "PNBRQ", "pair": "PNRQ"}),
            ("Enemy", enemy, {"N": "P", "B": "PN", "R": "PNB", "Q": "PNBR", "pair": "PNBRQ"}),
        ):
            for kind, partners in kinds.items():
                name = "Bishop Pair" if kind == "pair" else NAMES[kind]
                for partner in partners:
                    self.add(
                        "Material Pairs",
                        f"{name} with {owner}",
                        partner,
                        own[kind] * (others[partner] - usual[partner]),
                    )

    def weak_points(self) -> None:
        own, enemy = self.own, self.enemy
        add = partial(self.add, "Weak Points")

        def guarded(square: chess.Square) -> bool:
            strong = enemy.attacks_twice(square) and not own.attacks_twice(square)
            return square in enemy.by_pawns or strong

        pieces = set(enemy.of_kind(*PIECES))
        weak = {s for s in enemy.occupied - {enemy.king} if s in own.defended and not guarded(s)}
        add("Attacked", "", len(weak))
        add("Attacked Twice", "", sum(map(own.attacks_twice, weak)))
        targets = (pieces & own.defended) - enemy.by_pawns
        by_queens = enemy.seen_by(chess.QUEEN)
        add("Guarded by Queen", "", sum(s in by_queens and enemy.attackers(s) == 1 for s in targets))
        queens = enemy.of_kind(chess.QUEEN)
        if len(queens) == 1:
            for row, kinds in (("Knight", [chess.KNIGHT]), ("Slider", [chess.BISHOP, chess.ROOK])):
                found = set()
                for kind in kinds:
                    for square in own.seen_by(kind) - own.occupied:
                        there = self.board.copy(stack=False)
                        there.set_piece_at(square, chess.Piece(kind, own.color))
                        if queens[0] in there.attacks(square) and not guarded(square):
                            if kind == chess.KNIGHT or own.attacks_twice(square):
                                found.add(square)
                add(f"{row} to Queen", "", len(found))

    def pins(self) -> None:
        own = self.own
        for square in self.enemy.of_kind(chess.BISHOP, chess.ROOK, chess.QUEEN):
            empty = self.board.copy(stack=False)
            between = [s for s in chess.SquareSet(chess.between(square, own.king)) if s in self.occupied]
            for blocker in between:
                empty.remove_piece_at(blocker)
            if len(between) == 1 and own.king in empty.attacks(square):
                (blocker,) = between
                if blocker in own.occupied:
                    self.add("Pins", "Pinned", "PNBRQ"[(self.board.piece_type_at(blocker) or 0) - 1])

    def castling_rights(self) -> None:
        color = self.own.color
        self.add("Castling Rights", "King Side", "", self.board.has_kingside_castling_rights(color))
        self.add("Castling Rights", "Queen Side", "", self.board.has_queenside_castling_rights(color))

    def pawns_left(self) -> None:
        left = str(len(self.own.pawns) + len(self.enemy.pawns))
        others = {name: number for name, number in self.found.items() if name[0] == "King Attack"}
        for (_, row, _), number in others.items():
            kind = row if row in ("Weak Square", "Safe Check") else "Attacked Square"
            self.add("Pawns Left", kind, left, number)
        self.add("Pawns Left", "Turn", left, self.board.turn == self.own.color)
