// A lane that is alone with its row holds the elements that the guess at the mean is made of.

fn guess_from(first: Eight, lane: Lane) -> f32 {
    return guess_of(first.a.x, quad_sum((first.a + first.b) + (first.c + first.d)));
}
