// A chain of additions that is half as long, because two sums take turns. Beside an outlier equal terms round the
// same way, one after the other, so that errors grow with the length of the chain.

struct Turns {
    next: Sums,
    last: Sums,
}

fn added(sums: Turns, v: Sums) -> Turns {
    return Turns(sums.last, plus(sums.next, v));
}

fn sum_of(sums: Turns) -> Sums {
    return plus(sums.next, sums.last);
}
