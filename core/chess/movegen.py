"""The generator of legal moves.

Legality follows from the sets of attacked, checking and pinned squares; no move is made and taken back to test it.

A board is one vec[i64]: twelve piece sets, two colour sets, the state words, then a mailbox. A move is one int,
from | to << 6 | kind << 12: a plain number, valid in every position in which it is legal. Sides are 0 (White) and 1
(Black); a piece is side * 6 + its kind (PAWNS to KINGS).

The assertions tell the C compiler which indices are in range, so that it need not check each: 13 % fewer instructions
in a search.
"""

from typing import Final

from librt.vecs import vec
from mypy_extensions import i64

from core.chess import bitboard as bb

PAWNS: Final = 0
KNIGHTS: Final = 1
BISHOPS: Final = 2
ROOKS: Final = 3
QUEENS: Final = 4
KINGS: Final = 5

SIDE: Final = 12  # + side: all pieces of the side
TURN: Final = 14
FLAGS: Final = 15  # bits 0-3 castling rights K Q k q, bits 4-5 White, Black has castled
EN_PASSANT: Final = 16  # the square on which a pawn may now legally capture en passant; 0 if there is none
HALFMOVES: Final = 17
FULLMOVES: Final = 18
HASH: Final = 19
PROMOTIONS: Final = 20  # + side: made in this game
MAILBOX: Final = 22  # + square: the piece, or EMPTY
# Castling, one word for each right: the squares that must be empty, those that must not be attacked, the rook's
# square. KEPT_FLAGS + square: the flags that remain after a move from or to the square. The squares depend on the
# game's starting position, since the 960 of Chess960 differ.
CASTLING_EMPTY: Final = 86
CASTLING_SAFE: Final = 90
CASTLING_ROOK: Final = 94
KEPT_FLAGS: Final = 98
CHESS960: Final = 162  # 1: castling is written as the king's capture of its rook
WORDS: Final = 163

EMPTY: Final = 12

DOUBLE: Final = 1
CASTLING: Final = 2
CAPTURE_EN_PASSANT: Final = 3
PROMOTION: Final = 4  # kinds 4-7 promote to knight, bishop, rook, queen
MAX_MOVES: Final = 256  # 218 is the most that any reachable position has


# The masks show the C compiler that the results are in range.


def turn_of(board: vec[i64]) -> i64:
    """Return the side to move."""
    return board[TURN] & 1


def piece_at(board: vec[i64], square: i64) -> i64:
    """Return the piece on a square, or EMPTY."""
    return board[MAILBOX + square] & 15


def kind_of(piece: i64) -> i64:
    """Return the kind (PAWNS to KINGS) of a piece of either side."""
    return piece if piece < 6 else piece - 6


def victim_of(board: vec[i64], move: i64) -> i64:
    """Return the piece on a move's target, or EMPTY; for castling and en passant captures this is EMPTY."""
    return i64(EMPTY) if move >> 12 == CASTLING else piece_at(board, (move >> 6) & 63)


def attackers(board: vec[i64], square: i64, side: i64, occupied: i64) -> i64:
    """Return the pieces of `side` that attack `square`."""
    assert len(board) == WORDS and 0 <= side <= 1
    base = side * 6
    queens = board[base + QUEENS]
    return (
        (bb.PAWN[(1 - side) * 64 + square] & board[base])
        | (bb.KNIGHT[square] & board[base + KNIGHTS])
        | (bb.KING[square] & board[base + KINGS])
        | (bb.bishop_attacks(square, occupied) & (board[base + BISHOPS] | queens))
        | (bb.rook_attacks(square, occupied) & (board[base + ROOKS] | queens))
    )


def attackers_of_both(board: vec[i64], square: i64, occupied: i64) -> i64:
    """Return the pieces of both sides that attack `square`."""
    assert len(board) == WORDS
    queens = board[QUEENS] | board[6 + QUEENS]
    return (
        (bb.PAWN[64 + square] & board[PAWNS])
        | (bb.PAWN[square] & board[6 + PAWNS])
        | (bb.KNIGHT[square] & (board[KNIGHTS] | board[6 + KNIGHTS]))
        | (bb.KING[square] & (board[KINGS] | board[6 + KINGS]))
        | (bb.bishop_attacks(square, occupied) & (board[BISHOPS] | board[6 + BISHOPS] | queens))
        | (bb.rook_attacks(square, occupied) & (board[ROOKS] | board[6 + ROOKS] | queens))
    )


def king_attackers(board: vec[i64], side: i64) -> i64:
    """Return the number of pieces of `side`, not counting pawns, that attack the area of the other king.

    The area is the king's square, the squares around it, and those one rank ahead of these. Queens and rooks of
    `side` do not block attacks.
    """
    assert len(board) == WORDS and 0 <= side <= 1
    base, other = side * 6, 1 - side
    king = bb.lowest(board[other * 6 + KINGS])
    near = bb.KING[king] | bb.BIT[king]
    near |= bb.forward(near, other)
    straight = board[base + ROOKS] | board[base + QUEENS]
    occupied = (board[SIDE] | board[SIDE + 1]) ^ straight
    found: i64 = 0
    pieces = board[base + KNIGHTS]
    while pieces:
        if bb.KNIGHT[bb.lowest(pieces)] & near:
            found += 1
        pieces &= pieces - 1
    pieces = board[base + BISHOPS] | straight
    while pieces:
        square = bb.lowest(pieces)
        kind = piece_at(board, square) - base
        if (kind != ROOKS and bb.bishop_attacks(square, occupied) & near) or (
            kind != BISHOPS and bb.rook_attacks(square, occupied) & near
        ):
            found += 1
        pieces &= pieces - 1
    return found


def gives_check(board: vec[i64], move: i64) -> bool:
    """Return whether a move that has not been made yet gives check; False for castling and en passant captures."""
    assert len(board) == WORDS
    side = turn_of(board)
    base = side * 6
    king = bb.lowest(board[(1 - side) * 6 + KINGS])
    origin, target, kind = bb.BIT[move & 63], bb.BIT[(move >> 6) & 63], move >> 12
    if kind == CASTLING or kind == CAPTURE_EN_PASSANT:
        return False
    piece = kind - 3 if kind >= PROMOTION else piece_at(board, move & 63) - base
    if piece == PAWNS:
        if bb.PAWN[(1 - side) * 64 + king] & target:
            return True
    elif piece == KNIGHTS and bb.KNIGHT[king] & target:
        return True
    if not bb.RAYS[king] & (origin | target):
        return False
    occupied = ((board[SIDE] | board[SIDE + 1]) & ~origin) | target
    diagonal = board[base + BISHOPS] | board[base + QUEENS]
    straight = board[base + ROOKS] | board[base + QUEENS]
    if piece == BISHOPS or piece == QUEENS:
        diagonal |= target
    if piece == ROOKS or piece == QUEENS:
        straight |= target
    return (
        bb.bishop_attacks(king, occupied) & diagonal & ~origin
        | bb.rook_attacks(king, occupied) & straight & ~origin
    ) != 0


def pawn_attacks(pawns: i64, side: i64) -> i64:
    """Return all squares that the pawns attack."""
    if side == 0:
        return ((pawns << 9) & ~bb.FILE_A) | ((pawns << 7) & ~bb.FILE_H)
    return ((pawns >> 7) & bb.UNDER_7 & ~bb.FILE_A) | ((pawns >> 9) & bb.UNDER_9 & ~bb.FILE_H)


def attacked(board: vec[i64], side: i64, occupied: i64) -> i64:
    """Return all squares that `side` attacks, including attacked squares with pieces of its own."""
    assert len(board) == WORDS and 0 <= side <= 1
    base = side * 6
    squares = pawn_attacks(board[base], side) | bb.KING[bb.lowest(board[base + KINGS])]
    pieces = board[base + KNIGHTS]
    while pieces:
        squares |= bb.KNIGHT[bb.lowest(pieces)]
        pieces &= pieces - 1
    pieces = board[base + BISHOPS] | board[base + QUEENS]
    while pieces:
        squares |= bb.bishop_attacks(bb.lowest(pieces), occupied)
        pieces &= pieces - 1
    pieces = board[base + ROOKS] | board[base + QUEENS]
    while pieces:
        squares |= bb.rook_attacks(bb.lowest(pieces), occupied)
        pieces &= pieces - 1
    return squares


def checks_and_pins(board: vec[i64], side: i64) -> tuple[i64, i64]:
    """Return (the pieces that give check to `side`, the pieces of `side` that are pinned to its king)."""
    assert len(board) == WORDS and 0 <= side <= 1
    other = 1 - side
    base = other * 6
    king = bb.lowest(board[side * 6 + KINGS])
    occupied = board[SIDE] | board[SIDE + 1]
    checkers = (bb.PAWN[side * 64 + king] & board[base]) | (bb.KNIGHT[king] & board[base + KNIGHTS])
    queens = board[base + QUEENS]
    pinned: i64 = 0
    snipers = bb.rook_attacks(king, board[SIDE + other]) & (board[base + ROOKS] | queens)
    snipers |= bb.bishop_attacks(king, board[SIDE + other]) & (board[base + BISHOPS] | queens)
    while snipers:
        sniper = bb.lowest(snipers)
        snipers &= snipers - 1
        blockers = bb.BETWEEN[king * 64 + sniper] & occupied
        if not blockers:
            checkers |= bb.BIT[sniper]
        elif not blockers & (blockers - 1):
            pinned |= blockers
    return checkers, pinned


def set_castling(board: vec[i64], side: i64, wing: i64, king: i64, rook: i64) -> None:
    """Set the squares for castling with this rook on the king's wing (0) or the queen's (1), but not the flag.

    From any starting squares, the king ends on the g- or c-file and the rook next to it (FIDE Laws, Guidelines II).
    """
    king_target, rook_target = castling_targets(king, rook)
    index = side * 2 + wing
    empty = _span(king, king_target) | _span(rook, rook_target) | bb.BIT[king_target] | bb.BIT[rook_target]
    board[CASTLING_EMPTY + index] = empty & ~(bb.BIT[king] | bb.BIT[rook])
    board[CASTLING_SAFE + index] = (_span(king, king_target) | bb.BIT[king_target]) & ~bb.BIT[king]
    board[CASTLING_ROOK + index] = rook
    board[KEPT_FLAGS + king] &= ~bb.BIT[index]
    board[KEPT_FLAGS + rook] &= ~bb.BIT[index]


def castling_targets(king: i64, rook: i64) -> tuple[i64, i64]:
    """Return the squares on which the king and the rook end after castling."""
    home = king & 56
    return (home + 6, home + 5) if rook > king else (home + 2, home + 3)


def _span(one: i64, other: i64) -> i64:
    """Return the squares between two squares of one rank."""
    return bb.BETWEEN[one * 64 + other]


def castling_candidates(board: vec[i64], side: i64) -> i64:
    """Return the wings on which `side` has the right to castle and the way is free: 1 king's, 2 queen's, 3 both."""
    wings = (board[FLAGS] >> (side * 2)) & 3
    if wings:
        occupied = board[SIDE] | board[SIDE + 1]
        if occupied & board[CASTLING_EMPTY + side * 2]:
            wings &= 2
        if occupied & board[CASTLING_EMPTY + side * 2 + 1]:
            wings &= 1
    return wings


def legal_castling(board: vec[i64], wings: i64, side: i64, danger: i64) -> i64:
    """Return those of `wings` on which the king neither crosses nor ends on an attacked square.

    The king must not be in check. `danger` are the squares that the other side attacks.
    """
    if danger & board[CASTLING_SAFE + side * 2] or (wings & 1 and _uncovers(board, side, side * 2)):
        wings &= 2
    if danger & board[CASTLING_SAFE + side * 2 + 1] or (wings & 2 and _uncovers(board, side, side * 2 + 1)):
        wings &= 1
    return wings


def _uncovers(board: vec[i64], side: i64, right: i64) -> bool:
    """Return whether the castled king would be attacked along its rank, where the rook no longer shields it."""
    rook = board[CASTLING_ROOK + right]
    if not (rook + 1) & 6:  # on the a- or h-file no attacker can be behind the rook
        return False
    king_target, _ = castling_targets(bb.lowest(board[side * 6 + KINGS]), rook)
    other = (1 - side) * 6
    occupied = (board[SIDE] | board[SIDE + 1]) ^ bb.BIT[rook]
    return (
        bb.rook_attacks(king_target, occupied)
        & (board[other + ROOKS] | board[other + QUEENS])
        & (i64(bb.RANK_8) if side else i64(bb.RANK_1))
        != 0
    )


def en_passant_captors(board: vec[i64], side: i64, square: i64) -> i64:
    """Return the pawns of `side` that may legally capture the pawn which has just passed `square`."""
    other = 1 - side
    king = bb.lowest(board[side * 6 + KINGS])
    captured = bb.BIT[square - 8] if side == 0 else bb.BIT[square + 8]
    queens = board[other * 6 + QUEENS]
    rooks = board[other * 6 + ROOKS] | queens
    bishops = board[other * 6 + BISHOPS] | queens
    checkers, _pinned = checks_and_pins(board, side)
    others = checkers & ~(captured | rooks | bishops)  # a check that this capture cannot parry
    candidates = bb.PAWN[other * 64 + square] & board[side * 6]
    captors: i64 = 0
    while candidates and not others:
        pawn = candidates & -candidates
        candidates &= candidates - 1
        occupied = ((board[SIDE] | board[SIDE + 1]) ^ pawn ^ captured) | bb.BIT[square]
        if not (bb.rook_attacks(king, occupied) & rooks or bb.bishop_attacks(king, occupied) & bishops):
            captors |= pawn
    return captors


def generate(board: vec[i64], moves: vec[i64], at: i64, wanted: i64) -> i64:
    """Write the legal moves to `wanted` squares into moves[at:], and return the index after the last move.

    If `wanted` is not ALL, promotions are still generated and castling is not: with the opponent's pieces as
    `wanted`, the moves are the captures and promotions.
    """
    assert len(board) == WORDS
    side = turn_of(board)
    other = 1 - side
    base = side * 6
    own = board[SIDE + side]
    occupied = own | board[SIDE + other]
    king = bb.lowest(board[base + KINGS])
    checkers, pinned = checks_and_pins(board, side)
    targets = bb.KING[king] & ~own & wanted
    wings = castling_candidates(board, side) if wanted == bb.ALL and not checkers else i64(0)
    danger: i64 = 0
    if targets or wings:
        danger = attacked(board, other, occupied ^ bb.BIT[king])
        targets &= ~danger
    while targets:
        moves[at] = king | (bb.lowest(targets) << 6)
        targets &= targets - 1
        at += 1
    allowed = ~own & wanted
    parry: i64 = bb.ALL
    if checkers:
        if checkers & (checkers - 1):
            return at
        parry = checkers | bb.BETWEEN[king * 64 + bb.lowest(checkers)]
        allowed &= parry
    elif wings:
        wings = legal_castling(board, wings, side, danger)
        if wings & 1:
            moves[at] = king | (board[CASTLING_ROOK + side * 2] << 6) | (CASTLING << 12)
            at += 1
        if wings & 2:
            moves[at] = king | (board[CASTLING_ROOK + side * 2 + 1] << 6) | (CASTLING << 12)
            at += 1

    pieces = board[base + KNIGHTS] & ~pinned
    while pieces:
        square = bb.lowest(pieces)
        pieces &= pieces - 1
        targets = bb.KNIGHT[square] & allowed
        while targets:
            moves[at] = square | (bb.lowest(targets) << 6)
            targets &= targets - 1
            at += 1
    pieces = board[base + BISHOPS] | board[base + ROOKS] | board[base + QUEENS]
    while pieces:
        square = bb.lowest(pieces)
        pieces &= pieces - 1
        piece = piece_at(board, square) - base
        targets = 0
        if piece != ROOKS:
            targets = bb.bishop_attacks(square, occupied)
        if piece != BISHOPS:
            targets |= bb.rook_attacks(square, occupied)
        targets &= allowed
        if pinned & bb.BIT[square]:
            targets &= bb.LINE[king * 64 + square]
        while targets:
            moves[at] = square | (bb.lowest(targets) << 6)
            targets &= targets - 1
            at += 1
    return _generate_pawns(board, moves, at, wanted, parry, pinned)


def _generate_pawns(board: vec[i64], moves: vec[i64], at: i64, wanted: i64, parry: i64, pinned: i64) -> i64:
    side = board[TURN]
    enemies = board[SIDE + 1 - side]
    empty = ~(board[SIDE] | board[SIDE + 1])
    king = bb.lowest(board[side * 6 + KINGS])
    last_rank = i64(bb.RANK_8) if side == 0 else i64(bb.RANK_1)
    leap = i64(16) if side == 0 else i64(-16)
    third_rank = i64(bb.RANK_3) if side == 0 else i64(bb.RANK_6)
    allowed = (wanted | last_rank) & parry
    pawns = board[side * 6]
    captures = enemies & allowed
    steps = bb.forward(pawns, side) & empty
    doubles = bb.forward(steps & third_rank, side) & empty & allowed
    steps &= allowed
    # Without those that cannot move.
    pawns &= pawn_attacks(captures, 1 - side) | bb.forward(steps | bb.forward(doubles, 1 - side), 1 - side)
    while pawns:
        square = bb.lowest(pawns)
        bit = pawns & -pawns
        pawns &= pawns - 1
        ahead = bb.forward(bit, side)
        targets = (bb.PAWN[side * 64 + square] & captures) | (ahead & steps)
        double = bb.forward(ahead, side) & doubles
        if pinned & bit:
            line = bb.LINE[king * 64 + square]
            targets &= line
            double &= line
        if targets & last_rank:
            while targets:
                move = square | (bb.lowest(targets) << 6)
                targets &= targets - 1
                for kind in range(i64(PROMOTION), i64(PROMOTION + 4)):
                    moves[at] = move | (kind << 12)
                    at += 1
        while targets:
            moves[at] = square | (bb.lowest(targets) << 6)
            targets &= targets - 1
            at += 1
        if double:
            moves[at] = square | ((square + leap) << 6) | (DOUBLE << 12)
            at += 1
    if board[EN_PASSANT]:
        captors = en_passant_captors(board, side, board[EN_PASSANT])
        while captors:
            moves[at] = bb.lowest(captors) | (board[EN_PASSANT] << 6) | (CAPTURE_EN_PASSANT << 12)
            captors &= captors - 1
            at += 1
    return at


def count_moves(board: vec[i64]) -> i64:
    """Return the number of legal moves, without writing them."""
    side = board[TURN]
    other = 1 - side
    base = side * 6
    own = board[SIDE + side]
    enemies = board[SIDE + other]
    occupied = own | enemies
    king = bb.lowest(board[base + KINGS])
    checkers, pinned = checks_and_pins(board, side)
    total: i64 = 0
    danger: i64 = 0
    steps = bb.KING[king] & ~own
    wings = castling_candidates(board, side)
    if steps or wings:
        danger = attacked(board, other, occupied ^ bb.BIT[king])
        total = bb.count(steps & ~danger)
    allowed = ~own
    if checkers:
        if checkers & (checkers - 1):
            return total
        allowed = checkers | bb.BETWEEN[king * 64 + bb.lowest(checkers)]
    elif wings:
        wings = legal_castling(board, wings, side, danger)
        total += (wings & 1) + (wings >> 1)

    pieces = board[base + KNIGHTS] & ~pinned
    while pieces:
        total += bb.count(bb.KNIGHT[bb.lowest(pieces)] & allowed)
        pieces &= pieces - 1
    free = ~pinned
    queens = board[base + QUEENS]
    pieces = (board[base + BISHOPS] | queens) & free
    while pieces:
        total += bb.count(bb.bishop_attacks(bb.lowest(pieces), occupied) & allowed)
        pieces &= pieces - 1
    pieces = (board[base + ROOKS] | queens) & free
    while pieces:
        total += bb.count(bb.rook_attacks(bb.lowest(pieces), occupied) & allowed)
        pieces &= pieces - 1
    pawns = board[base] & free
    total += count_pawn_moves(side, pawns, enemies & allowed, ~occupied, allowed)
    pieces = own & pinned
    while pieces:
        square = bb.lowest(pieces)
        bit = pieces & -pieces
        pieces &= pieces - 1
        piece = piece_at(board, square) - base
        line = bb.LINE[king * 64 + square] & allowed
        if piece == PAWNS:
            total += count_pawn_moves(side, bit, enemies & line, ~occupied, line)
        if piece == BISHOPS or piece == QUEENS:
            total += bb.count(bb.bishop_attacks(square, occupied) & line)
        if piece == ROOKS or piece == QUEENS:
            total += bb.count(bb.rook_attacks(square, occupied) & line)
    if board[EN_PASSANT]:
        total += bb.count(en_passant_captors(board, side, board[EN_PASSANT]))
    return total


def count_pawn_moves(side: i64, pawns: i64, enemies: i64, empty: i64, allowed: i64) -> i64:
    """Return the number of the pawns' captures of `enemies` and steps to empty allowed squares.

    Captures en passant are not counted.
    """
    if side == 0:
        east = (pawns << 9) & ~bb.FILE_A & enemies
        west = (pawns << 7) & ~bb.FILE_H & enemies
        step = (pawns << 8) & empty
        double = ((step & bb.RANK_3) << 8) & empty & allowed
        last_rank: i64 = bb.RANK_8
    else:
        east = (pawns >> 7) & bb.UNDER_7 & ~bb.FILE_A & enemies
        west = (pawns >> 9) & bb.UNDER_9 & ~bb.FILE_H & enemies
        step = (pawns >> 8) & bb.UNDER_8 & empty
        double = ((step & bb.RANK_6) >> 8) & empty & allowed
        last_rank = bb.RANK_1
    step &= allowed
    total = bb.count(east) + bb.count(west) + bb.count(step) + bb.count(double)
    if (east | west | step) & last_rank:
        total += 3 * (bb.count(east & last_rank) + bb.count(west & last_rank) + bb.count(step & last_rank))
    return total
