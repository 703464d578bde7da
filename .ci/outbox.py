#!/usr/bin/env python3
"""Tries every interleaving of a few threads at one outbox, with one step for each atomic operation; then does the same
for mutants, each of which must be caught. It models Outbox.swift and LatestOutbox.swift in Sources/Signals.

    make model
"""
import sys

DUE, BUSY, CLOSED = 1, 2, 4
MUTANTS = [
    'leave-blind', 'leave-keeps-closed', 'notify-before-store', 'close-always-releases', 'close-idle-only',
    'begin-unchecked', 'hand-forgets', 'offer-stale', 'request-silent', 'offer-silent',
    'hand-ignores-closed', 'end-unclosed', 'offer-takes-notify',
]

# The state: phase, demand (-1 closed), latest, delivered, jobs, inside, released, failed, ended, requested, count,
# cancelled (a cancel has returned), then one (pc, locals) per thread.
NAMES = ['phase', 'demand', 'latest', 'delivered', 'jobs', 'inside', 'released', 'failed', 'ended', 'requested',
         'count', 'cancelled']


class Violation(Exception):
    pass


class Thread:
    """A program: `steps[pc](S, L)` changes the state S and the locals L; returns the next pc, or None at the end."""


def check(condition, text):
    if not condition:
        raise Violation(text)


def release(S):
    check(S['released'] == 0, 'released twice')
    check(S['inside'] == 0, 'released while the sink is called')
    S['released'] = 1


def program(kind, arg, mutant):
    M = lambda name: mutant == name
    steps = {}

    def ready(S):
        return bool(S['failed']) or (S['latest'] > S['delivered'] and S['demand'] > 0)

    # notify, from n1; continues at L['then'].
    def n1(S, L):
        old = S['phase']
        S['phase'] |= DUE
        return L['then'] if old != 0 else 'n2'

    def n2(S, L):
        if M('begin-unchecked'):
            S['phase'] = S['phase'] & ~DUE | BUSY
            return 'n3'
        if S['phase'] != DUE:
            return L['then']
        S['phase'] = BUSY
        return 'n3'

    def n3(S, L):
        return 'h1' if ready(S) else 'nl'

    def nl(S, L):
        return {'again': 'n3', 'left': L['then']}[leave(S)]

    def h1(S, L):
        if S['phase'] & CLOSED and not M('hand-ignores-closed'):
            S['phase'] = CLOSED
            release(S)
            return L['then']
        S['phase'] = 0 if M('hand-forgets') else DUE
        S['jobs'] += 1
        return L['then']

    def leave(S):
        if M('leave-blind'):
            closed = S['phase'] & CLOSED
            S['phase'] = closed
            if closed:
                release(S)
            return 'left'
        if S['phase'] & CLOSED:
            S['phase'] = CLOSED
            if not M('leave-keeps-closed'):
                release(S)
            return 'left'
        if S['phase'] & DUE:
            S['phase'] = BUSY
            return 'again'
        S['phase'] = 0
        return 'left'

    # work, from w1; continues at L['done'].
    def w1(S, L):
        if S['phase'] & CLOSED and not M('step-ignores-close'):
            return 'wl'
        L['letter'], L['failed'] = S['latest'], S['failed']
        return 'w1b'

    def w1b(S, L):  # a failure comes after a requested value, and replaces any other
        if S['demand'] > 0 and L['letter'] > S['delivered']:
            return 'w2'
        return 'we' if L['failed'] else 'wl'

    def w2(S, L):   # take demand
        if S['demand'] <= 0:
            return 'wl'
        S['demand'] -= 1
        L['inflight'] = 0 if S['cancelled'] else 1
        return 'w3'

    def w3(S, L):   # into the sink
        check(S['inside'] == 0, 'two threads in the sink')
        check(S['released'] == 0, 'a sink called after its release')
        check(not S['ended'], 'a value after the end')
        check(L['letter'] > S['delivered'], 'a value went back or was repeated')
        check(not S['cancelled'] or L['inflight'], 'a value after cancel, not in flight')
        S['inside'] = 1
        S['delivered'] = L['letter']
        S['count'] += 1
        check(S['count'] <= S['requested'], 'more than requested')
        return 'w4'

    def w4(S, L):   # out of the sink, which requests one more if the program says so
        S['inside'] = 0
        if L['more'] > 0 and S['demand'] >= 0:
            L['more'] -= 1
            S['requested'] += 1
            S['demand'] += 1
        if L['more'] < 0:
            L['more'] = 0
            return 'c1'
        return 'w1' if L['loop'] else 'wl'

    def c1(S, L):   # a cancel inside the sink: by then this thread is busy, so it does not release
        old = S['phase']
        S['phase'] |= CLOSED
        check(old & BUSY, 'not busy inside the sink')
        if old & CLOSED == 0:
            S['demand'] = -1
            S['cancelled'] = 1
        return 'w1' if L['loop'] else 'wl'

    def wl(S, L):
        L['loop'] = 1
        return {'again': 'w1', 'left': L['done']}[leave(S)]

    def we(S, L):   # the end: close, then notify the sink
        old = S['phase']
        if not M('end-unclosed'):
            S['phase'] |= CLOSED
        L['first'] = 0 if old & CLOSED else 1
        if not M('end-unclosed'):
            S['demand'] = -1
        return 'we2' if L['first'] else 'wl'

    def we2(S, L):
        check(S['inside'] == 0, 'two threads in the sink')
        check(S['released'] == 0, 'a sink called after its release')
        check(not S['ended'], 'two ends')
        S['inside'] = 1
        S['ended'] = 1
        return 'we3'

    def we3(S, L):
        S['inside'] = 0
        return 'wl'

    if kind == 'publish':       # the values of a source: walkers visit, nobody notifies
        def p0(S, L):
            if L['left'] == 0:
                return None
            L['left'] -= 1
            S['latest'] += 1
            return 'p0'
        steps.update(p0=p0)
        start = ('p0', {'left': arg})
    elif kind == 'send':
        def p0(S, L):
            if L['left'] == 0:
                return None
            L['left'] -= 1
            L['then'] = 'p0'
            if M('notify-before-store'):
                L['then'] = 'p1'
                return 'n1'
            S['latest'] += 1
            return 'n1'

        def p1(S, L):
            S['latest'] += 1
            return 'p0'
        steps.update(p0=p0, p1=p1)
        start = ('p0', {'left': arg})
    elif kind == 'request':
        def p0(S, L):
            if L['left'] == 0:
                return None
            L['left'] -= 1
            L['then'] = 'p0'
            if S['demand'] < 0:
                return 'p0'
            S['demand'] += 1
            S['requested'] += 1
            return 'p0' if M('request-silent') else 'n1'
        steps.update(p0=p0)
        start = ('p0', {'left': arg})
    elif kind == 'cancel':
        def p0(S, L):
            L['old'] = S['phase']
            S['phase'] |= CLOSED
            return 'p3' if L['old'] & CLOSED else 'p1'

        def p1(S, L):
            S['demand'] = -1
            return 'p2'

        def p2(S, L):
            if M('close-always-releases') or (L['old'] == 0 if M('close-idle-only') else L['old'] & BUSY == 0):
                release(S)
            return 'p3'

        def p3(S, L):
            if L['old'] & CLOSED == 0:
                S['cancelled'] = 1
            return None
        steps.update(p0=p0, p1=p1, p2=p2, p3=p3)
        start = ('p0', {})
    elif kind == 'fail':
        def p0(S, L):
            S['failed'] = 1
            L['then'] = 'end'
            return 'n1'
        steps.update(p0=p0, end=lambda S, L: None)
        start = ('p0', {})
    elif kind == 'worker':
        def p0(S, L):
            if S['jobs'] == 0:
                return 'p0'
            S['jobs'] -= 1
            return 'p1'

        def p1(S, L):
            if M('begin-unchecked'):
                if S['phase'] & CLOSED:
                    return 'p0'
                S['phase'] = S['phase'] & ~DUE | BUSY
            elif S['phase'] != DUE:
                return 'p0'
            else:
                S['phase'] = BUSY
            L['done'] = 'p0'
            L['loop'] = 1
            return 'w1'
        steps.update(p0=p0, p1=p1)
        start = ('p0', {'more': arg})
    elif kind == 'walker':      # visits once with each value from 1 to arg, after it was sent
        def p0(S, L):
            if L['next'] > arg:
                return None
            if S['latest'] < L['next']:
                return 'p0'
            L['letter'] = L['next']
            L['next'] += 1
            return 'e1'

        def e1(S, L):
            if S['phase'] == 0:
                S['phase'] = BUSY
                return 'v1'
            return 'e2'

        def e2(S, L):
            if M('offer-silent'):
                return 'p0' if S['phase'] else 'e1'
            old = S['phase']
            S['phase'] |= DUE
            return 'p0' if old & (BUSY | CLOSED) else 'e3'

        def e3(S, L):
            if S['phase'] != DUE:
                return 'e2'
            S['phase'] = BUSY
            if M('offer-takes-notify'):
                return 'v1'
            L['done'] = 'p0'
            L['loop'] = 1
            return 'w1'

        def v1(S, L):
            L['done'] = 'p0'
            L['loop'] = 0
            if S['phase'] & CLOSED:
                return 'wl'
            new = True if M('offer-stale') else L['letter'] > S['delivered']
            return 'w2' if new else 'wl'
        steps.update(p0=p0, e1=e1, e2=e2, e3=e3, v1=v1)
        start = ('p0', {'next': 1, 'more': 0})
    steps.update(
        n1=n1, n2=n2, n3=n3, nl=nl, h1=h1, w1=w1, w1b=w1b, w2=w2, w3=w3, w4=w4, c1=c1, wl=wl, we=we, we2=we2, we3=we3)
    return steps, start


def explore(threads, mutant=None, most=4_000_000):
    programs = [program(kind, arg, mutant) for kind, arg in threads]
    base = dict.fromkeys(NAMES, 0)
    first = (tuple(base[n] for n in NAMES), tuple((s[0], tuple(sorted(s[1].items()))) for _, s in programs))
    seen, stack = {first}, [first]
    while stack:
        shared, places = stack.pop()
        moved = False
        for index, (pc, local) in enumerate(places):
            if pc is None:
                continue
            S, L = dict(zip(NAMES, shared)), dict(local)
            after = programs[index][0][pc](S, L)
            new = (tuple(S[n] for n in NAMES), tuple(
                (after, () if after is None else tuple(sorted(L.items()))) if i == index else p
                for i, p in enumerate(places)))
            if new[0] == shared and new[1] == places:
                continue
            moved = True
            if new not in seen:
                seen.add(new)
                stack.append(new)
        if not moved:
            S = dict(zip(NAMES, shared))
            if S['phase'] & CLOSED or S['cancelled'] or S['ended']:
                check(S['phase'] == CLOSED or S['phase'] == CLOSED | DUE, 'closed, but not at rest')
                check(S['released'] == 1, 'never released')
                check(S['ended'] or S['cancelled'] , 'closed for nothing')
            else:
                check(S['phase'] == 0, 'at rest, but not idle')
                check(not S['failed'], 'the failure was not delivered')
                check(not (S['latest'] > S['delivered'] and S['demand'] > 0), 'a value was lost')
        if len(seen) > most:
            return len(seen), False
    return len(seen), True


CONFIGURATIONS = [
    [('send', 2), ('request', 2), ('worker', 0)],
    [('send', 2), ('request', 1), ('worker', 1), ('worker', 1)],
    [('send', 1), ('request', 2), ('cancel', 0), ('worker', 1), ('worker', 1)],
    [('send', 1), ('send', 1), ('request', 1), ('fail', 0), ('worker', 1)],
    [('send', 1), ('request', 1), ('fail', 0), ('cancel', 0), ('worker', 0)],
    [('send', 2), ('request', 2), ('worker', -1), ('worker', -1)],
    [('send', 1), ('request', 1), ('cancel', 0), ('worker', -1)],
    [('cancel', 0), ('cancel', 0), ('send', 1), ('request', 1), ('worker', 0)],
    [('publish', 2), ('request', 2), ('walker', 2), ('worker', 0)],
    [('publish', 2), ('request', 1), ('walker', 2), ('walker', 2), ('worker', 1)],
    [('publish', 1), ('request', 1), ('walker', 1), ('cancel', 0), ('worker', 1)],
    [('publish', 1), ('request', 1), ('walker', 1), ('fail', 0), ('worker', 0)],
    [('publish', 2), ('request', 2), ('walker', 2), ('cancel', 0), ('fail', 0), ('worker', 0)],
]


def run(mutant=None):
    total = 0
    for configuration in CONFIGURATIONS:
        try:
            count, whole = explore(configuration, mutant)
        except Violation as violation:
            return f'{violation}: {configuration}', total
        total += count
        if mutant is None:
            print(f'{count:8} states{"" if whole else " (cut off)"}: {configuration}')
    return None, total


if __name__ == '__main__':
    violation, total = run()
    print('No violation' if violation is None else f'Violation: {violation}', f'in {total} states')
    survivors = 0
    for mutant in MUTANTS:
        caught, _ = run(mutant)
        print(f'{mutant:24} {caught or "SURVIVES"}')
        survivors += caught is None
    sys.exit(violation is not None or survivors > 0)
