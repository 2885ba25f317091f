"""A random play of the whole game, and the laws that hold before and after every move.

The laws are written from the spec, not from the rules' code: balances are rebuilt from the
ledger's entries by hand, earnings from cases, votes and payouts, rulings from their votes.
"""

from __future__ import annotations

from collections import Counter
from datetime import timedelta

from arena.game.scene import MINUTE, NOW, TRAINING
from askpoint.arena.game import payout as outbox
from askpoint.arena.game.campaign import CampaignState, return_funds
from askpoint.arena.game.feedback import Resemblance
from askpoint.arena.game.player import bar_player, readmit_player
from askpoint.arena.simulation.arena import Arena
from askpoint.errors import RuleError
from askpoint.labelling.reviewer import is_paused, readmit_reviewer
from askpoint.measures.model_answer import ModelAnswer

PLAYERS = ("alice", "anna", "eve")
JUDGES = ("bob", "beth", "bill", "bo", "ben")
FAMILIES = ("", "a find that others will repeat", "another one of its kind")
N_CALLS = 19


def _order(probe):
    return probe.submitted, probe.id != probe.family, probe.id


class Play:
    """An arena, the payouts that left it, and moves chosen by numbers between 0 and 1."""

    def __init__(self, terms, points: int) -> None:
        self.game = Arena(CampaignState("hate", terms, NOW))
        self.now = NOW
        self.funded = 0
        self.payouts: dict[str, outbox.PayoutState] = {}
        self.readmitted: set[str] = set()
        self.refused: Counter[str] = Counter()
        self.states: Counter[str] = Counter()
        self.made = 0
        self.add(points)
        for name in PLAYERS:
            self.game.join(name, "player", NOW)
        for name in JUDGES:
            self.game.join(name, "judge", NOW)
            self.game.train(name, TRAINING[: 5 - (name == "ben")], NOW)
        for i in range(12):
            self.game.add_gold(f"gold-{i}", terms.classes[i % len(terms.classes)], NOW)
        self.attempt(lambda: self.game.open(NOW))

    def add(self, points: int) -> None:
        self.game.fund(points, self.now)
        self.funded += points

    def attempt(self, move) -> None:
        """Make a move; one that the rules refuse must have changed nothing."""
        before = self.snapshot()
        try:
            move()
            self.made += 1
        except RuleError as error:
            self.refused[error.rule] += 1
            assert self.snapshot() == before

    def snapshot(self):
        game = self.game
        return (
            game.campaign,
            len(game.ledger),
            tuple(game.players.values()),
            tuple(game.judges.values()),
            len(game.probes),
            len(game.submitted),
            len(game.rulings),
        )

    def call(self, which: int, a: float, b: float, c: float) -> None:
        game, now = self.game, self.now
        players, judges = self.pick(PLAYERS, a), self.pick(JUDGES, a)
        cases = list(game.probes)
        case = self.pick(cases, b) if cases else "nothing"
        classes = game.campaign.terms.classes
        if which in (1, 2):
            late = cases[-1 - int(3 * b)] if len(cases) > 3 else case
            self.attempt(lambda: game.submit(late, now, Resemblance(c, "v") if c < 0.5 else None))
        elif which in (3, 4, 14, 15):
            self.attempt(lambda: game.claim(judges, now, gold=b < 0.3))
        elif which in (5, 6, 7, 16):
            self.vote(judges, b, c)
        elif which == 8:
            self.attempt(lambda: game.appeal(players, case, now))
        elif which == 9:
            waiting = [
                item.id for item in game.rulings.values() if item.state in ("referred", "appealed")
            ]
            chosen = self.pick(waiting, b) if waiting else case
            self.attempt(lambda: game.decide(chosen, self.pick(classes, c), now))
        elif which == 10:
            self.people(players, judges, b)
        elif which == 11:
            self.money(players if b < 0.5 else judges, a, c)
        elif which == 12:
            self.attempt(lambda: game.give_back(case if c < 0.5 else "gold-1", now, judges))
        elif which == 13:
            self.time(a, b)
        elif which == 18 and c > 0.8:
            held = [
                it.id
                for it in game.rulings.values()
                if any(lease.reviewer == judges for lease in it.claims)
            ]
            chosen = self.pick(held, b) if held else case
            self.attempt(lambda: game.skip(judges, chosen, now))
        elif which == 18 and c < 0.3:  # a few: they compete with players for budget and judges
            names = [f"drawn-{len(game.rulings)}-{i}" for i in range(int(6 * b))]
            self.attempt(lambda: game.draw(names, now))
        else:
            self.attempt(lambda: self.try_one(players, b, c))

    def pick(self, options, number: float):
        return options[min(int(number * len(options)), len(options) - 1)]

    def try_one(self, player: str, b: float, c: float) -> None:
        classes = self.game.campaign.terms.classes
        top = 1 / len(classes) + (1 - 1 / len(classes)) * b
        rest = (1 - top) / (len(classes) - 1)
        decided = 0 if c < 0.7 else len(classes) - 1
        p = tuple(top if i == decided else rest for i in range(len(classes)))
        digest = f"{player}{len(self.game.probes)}" if c > 0.05 else "the same"
        text = FAMILIES[int(b * 1e6) % len(FAMILIES)]
        self.game.try_case(player, digest, ModelAnswer(p, classes[decided]), self.now, text=text)

    def vote(self, judge: str, b: float, c: float) -> None:
        held = [
            item.id
            for item in self.game.rulings.values()
            if any(lease.reviewer == judge for lease in item.claims)
        ]
        everything = list(self.game.rulings)
        case = self.pick(held, b) if held and c < 0.97 else self.pick(everything, b)
        ruling = self.game.rulings[case]
        good = ruling.gold if ruling.gold is not None else ruling.options[-(ruling.author != "eve")]
        wrong = 0.8 if judge == "bob" else 0.2
        choice = good if c > wrong else self.pick(ruling.options, c / wrong)
        self.attempt(lambda: self.game.vote(judge, case, choice, self.now))

    def people(self, player: str, judge: str, b: float) -> None:
        game, now = self.game, self.now
        if b < 0.5:
            self.attempt(lambda: game.train(judge, list(TRAINING), now))
        elif b < 0.6 and is_paused(game.judges[judge], game.campaign.terms.protocol):
            game.judges[judge] = readmit_reviewer(game.judges[judge], now)
        elif b < 0.7:
            game.players[player] = readmit_player(game.players[player], now)
            self.readmitted.add(player)
        elif b < 0.75:
            game.players[player] = bar_player(game.players[player], now)
        elif b < 0.85:
            self.attempt(lambda: game.join(player, "judge", now))
        elif b < 0.9:
            self.attempt(lambda: game.recall(judge, now))

    def money(self, person: str, a: float, c: float) -> None:
        game, now = self.game, self.now
        waiting = [
            item for item in self.payouts.values() if item.state not in ("sent", "cancelled")
        ]
        if a < 0.3 or not waiting:
            name = f"p{len(self.payouts)}"

            def plan() -> None:
                self.payouts[name] = game.withdraw(person, name, now)

            self.attempt(plan)
        elif a < 0.95:
            self.move_payout(self.pick(waiting, c), a)
        elif c < 0.5:
            self.add(int(1 + 3000 * c))
        elif c < 0.7:
            self.attempt(lambda: game.close(now))
        elif c < 0.9:
            self.attempt(lambda: game.open(now))
        else:
            back = int(game.available * c) or 1

            def take() -> None:
                key = str(len(game.ledger))
                game.ledger.post(*return_funds(game.campaign, back, key, now))
                self.funded -= back

            self.attempt(take)

    def move_payout(self, payout: outbox.PayoutState, a: float) -> None:
        def move() -> None:
            posted = ()
            if payout.state == "planned" and a > 0.9:
                after, posted = outbox.cancel(payout, self.now)
            elif payout.state == "planned":
                after = outbox.send(payout, self.now)
            elif payout.state == "sending" and a > 0.9:
                after, posted = outbox.refuse(payout, self.now)
            elif payout.state == "sending" and a > 0.7:
                after = outbox.lose_track(payout, self.now)
            elif payout.state == "lookup" and a > 0.8:
                after = outbox.give_up(payout, self.now)
            elif payout.state in ("lookup", "unknown") and a > 0.6:
                after = outbox.plan_again(payout, self.now)
            else:
                after, posted = outbox.confirm(payout, "ref", self.now)
            self.game.ledger.post(*posted)
            self.payouts[payout.id] = after

        self.attempt(move)

    def time(self, a: float, b: float) -> None:
        if a < 0.05:
            early = NOW - MINUTE
            self.attempt(
                lambda: self.game.try_case("alice", "early", ModelAnswer((1.0, 0.0), "x"), early)
            )
        self.now += timedelta(minutes=int(40 * b)) if a < 0.9 else timedelta(days=b * 4)

    # the laws

    def check_money(self) -> None:
        """The cheap laws: nothing is lost, and no budget is exceeded by a point."""
        balances = self.game.ledger.balances
        assert sum(balances.values()) == 0
        by_kind: Counter[str] = Counter()
        for account, points in balances.items():
            by_kind[account.kind] += points
            assert points >= 0 or account.kind in ("funding", "earned")
        assert by_kind["funding"] == -self.funded
        spent = by_kind["earned"] + by_kind["paying"] + by_kind["paid"]
        assert spent + by_kind["reserved"] + by_kind["budget"] == self.funded

    def check(self) -> None:
        self.check_money()
        game = self.game
        self.states.update(item.state for item in (*game.rulings.values(), *self.payouts.values()))
        drawn = [item for item in game.rulings.values() if item.purpose == "drawn"]
        self.states.update(f"drawn {item.state}" for item in drawn)
        self.check_replay()
        pay = game.campaign.terms.pay
        out: Counter[str] = Counter()
        for payout in self.payouts.values():
            out[payout.payee] += payout.points * (payout.state != "cancelled")
        for player in PLAYERS:
            awarded = sum(probe.awarded for probe in game.probes.values() if probe.player == player)
            assert game.withdrawable(player) == awarded - out[player]
        n_votes = Counter(vote.reviewer for item in game.rulings.values() for vote in item.votes)
        for judge in JUDGES:
            assert game.withdrawable(judge) == pay.vote * n_votes[judge] - out[judge]
        reserved = sum(ruling.reserved for ruling in game.rulings.values())
        assert game.ledger.balance(game.campaign.reserved) == reserved
        digests = [item.digest for item in game.probes.values() if item.submitted is not None]
        assert sorted(digests) == sorted(game.submitted)
        for case, ruling in game.rulings.items():
            self.check_ruling(ruling)
            if ruling.purpose == "submitted":
                self.check_case(game.probes[case], ruling)
            else:
                assert case not in game.probes
            if ruling.purpose == "drawn":
                self.check_drawn(ruling)
        for player in set(PLAYERS) - self.readmitted:
            own = [p for p in game.probes.values() if p.player == player and p.truth is not None]
            good = sum(probe.prize.found or probe.prize.points > 0 for probe in own)
            record = game.players[player]
            assert (record.judged, record.found) == (len(own), good)

    def check_replay(self) -> None:
        """Rebuild every balance from the entries, by another road."""
        book: dict[str, int] = {}
        seen: dict[str, object] = {}
        reversed_keys: list[str] = []
        for transaction in self.game.ledger:
            assert transaction.key not in seen
            if transaction.reverses is not None:
                wrong = seen[transaction.reverses]
                assert sorted(transaction.entries) == sorted((a, -p) for a, p in wrong.entries)
                reversed_keys.append(transaction.reverses)
            seen[transaction.key] = transaction
            for account, points in transaction.entries:
                book[f"{account.kind}:{account.owner}"] = points + book.get(
                    f"{account.kind}:{account.owner}", 0
                )
        assert len(reversed_keys) == len(set(reversed_keys))
        assert book == {str(account): p for account, p in self.game.ledger.balances.items()}

    def check_ruling(self, ruling) -> None:
        voters = [vote.reviewer for vote in ruling.votes]
        assert len(voters) == len(set(voters))
        assert ruling.author not in voters
        protocol = self.game.campaign.terms.protocol
        choices = [vote.choice for vote in ruling.votes if not vote.void]
        if ruling.purpose == "gold":
            assert ruling.state == "open"
            assert ruling.reserved == self.game.campaign.terms.pay.vote * len(ruling.claims)
            return
        assert len(choices) <= protocol.most_votes
        live = [lease for lease in ruling.claims if lease.until > self.now]
        top = max((choices.count(item) for item in choices), default=0)
        decided = len(choices) >= protocol.votes and 2 * top > len(choices)
        if ruling.state == "open":
            assert not decided
            wanted = max(protocol.votes - len(choices), 1)
            assert len(live) <= wanted
        elif ruling.state == "ruled":
            assert decided
            assert choices.count(ruling.answer) == top
        if ruling.state != "open":
            assert not ruling.claims

    def check_drawn(self, ruling) -> None:
        """Just the votes to come stand behind a drawn case, and nothing once it is ruled."""
        assert ruling.author == ""
        assert ruling.state != "appealed"
        left = self.game.campaign.terms.protocol.most_votes - len(ruling.counted)
        if ruling.state == "open":
            assert ruling.reserved == left * self.game.campaign.terms.pay.vote
        elif ruling.state in ("ruled", "final"):
            assert ruling.reserved == 0
        spent: Counter[str] = Counter()
        for transaction in self.game.ledger:
            if transaction.about == ruling.id:
                spent.update({account.kind: p for account, p in transaction.entries})
        assert spent["reserved"] == ruling.reserved
        pay = self.game.campaign.terms.pay.vote * len(ruling.votes)
        assert spent["earned"] == pay
        assert spent["budget"] == -pay - ruling.reserved

    def check_case(self, probe, ruling) -> None:
        pay = self.game.campaign.terms.pay
        assert len(probe.prizes) == len(probe.options)
        assert 0 <= probe.best_prize <= pay.top
        found = probe.truth is not None and probe.prizes[probe.options.index(probe.truth)]
        earlier = [
            it
            for it in self.game.probes.values()
            if it.family == probe.family != ""
            and it.submitted is not None
            and _order(it) < _order(probe)
        ]
        settled = [it for it in earlier if it.truth is not None]
        first_find = not any(it.prizes[it.options.index(it.truth)].found for it in settled)
        all_known = len(settled) == len(earlier)
        in_full = not earlier or (found and found.found and first_find and all_known)
        designs = self.game.campaign.terms.designs
        if ruling.state in ("ruled", "final"):
            hold = 0
            if found.found and first_find and not all_known and 5 in designs:
                hold = pay.base + found.points - probe.awarded
            assert ruling.reserved == hold
            assert probe.truth == ruling.answer
        if ruling.state == "open":  # whatever is ruled can be paid from what is reserved
            left = self.game.campaign.terms.protocol.most_votes - len(ruling.counted)
            assert ruling.reserved >= left * pay.vote + pay.base + probe.best_prize - probe.awarded
        if probe.truth is None:
            assert probe.awarded == 0
        elif ruling.state not in ("ruled", "appealed", "final"):
            pass  # open again: what was awarded stands until then
        elif in_full or 5 not in designs:
            assert probe.awarded == pay.base + found.points
        else:
            # an exact copy keeps a tenth, in whole points; what is no find brings nothing
            assert probe.awarded <= (0.1 * pay.top + 0.5 if found.found else 0)
