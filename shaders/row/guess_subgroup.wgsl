// The first lanes of a subgroup hold the elements that the guess at the mean is made of, a quad each.
// Lanes are added pairwise, so that equal elements add up exactly.

fn guess_from(first: Eight, lane: Lane) -> f32 {
    let quad = quad_sum(first.a);
    let pair = quad + subgroupShuffleXor(quad, 1u);
    let sixteen = pair + subgroupShuffleXor(pair, 2u);
    // Not a broadcast: the compiler of lavapipe (LLVM 15) fails on one of a product.
    return guess_of(subgroupShuffle(first.a.x, 0u), subgroupShuffle(sixteen, 0u));
}
