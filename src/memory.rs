//! Memory that may not be there: a typed error where `Vec` would end the process, or in a browser
//! leave a promise pending for ever.

use crate::error::{Error, Result};

/// An empty vector with room for `len` elements.
pub(crate) fn reserve<T>(len: u64) -> Result<Vec<T>> {
    let refused = || Error::Memory { bytes: len.saturating_mul(size_of::<T>() as u64) };
    let mut values = Vec::new();
    values.try_reserve_exact(usize::try_from(len).map_err(|_| refused())?).map_err(|_| refused())?;
    Ok(values)
}

/// `len` zeros.
#[cfg(any(feature = "gpu", test))]
pub(crate) fn zeros<T: bytemuck::Zeroable + Clone>(len: u64) -> Result<Vec<T>> {
    let mut values = reserve(len)?;
    values.resize(len as usize, T::zeroed());
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_memory_holds_is_an_error() {
        assert_eq!(reserve::<f32>(1 << 62).map(|_| ()), Err(Error::Memory { bytes: u64::MAX }));
        assert_eq!(zeros::<f64>(1 << 60).map(|_| ()), Err(Error::Memory { bytes: 1 << 63 }));
        assert_eq!(zeros::<u8>(3), Ok(vec![0; 3]));
    }
}
