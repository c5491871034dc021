//! Executors of futures: the trait, and the executors of the features `async_futures`, `async_smol`,
//! `async_std` and `async_tokio`.

/// Runs a future to its end.
pub trait AsyncExecutor {
    /// Runs the future on this thread until it is ready, and returns its output.
    fn block_on<T>(&self, future: impl Future<Output = T>) -> T;
}

/// Declares an executor without a state.
macro_rules! executor {
    ($(#[$doc:meta])* $feature:literal $name:ident = $block_on:path) => {
        $(#[$doc])*
        #[cfg(feature = $feature)]
        #[derive(Debug)]
        pub struct $name;

        #[cfg(feature = $feature)]
        impl AsyncExecutor for $name {
            fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
                $block_on(future)
            }
        }
    };
}

executor! {
    /// The single-threaded executor of the crate futures.
    "async_futures" FuturesExecutor = futures_executor::block_on
}

executor! {
    /// The executor of the crate smol.
    "async_smol" SmolExecutor = smol::block_on
}

executor! {
    /// The executor of the crate async-std.
    "async_std" AsyncStdExecutor = async_std::task::block_on
}

/// Implements the trait for executors of tokio, and for references to them.
#[cfg(feature = "async_tokio")]
macro_rules! tokio_executors {
    ($($executor:ty),*) => {
        $(
            impl AsyncExecutor for $executor {
                fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
                    <$executor>::block_on(self, future)
                }
            }

            impl AsyncExecutor for &$executor {
                fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
                    <$executor>::block_on(self, future)
                }
            }
        )*
    };
}

#[cfg(feature = "async_tokio")]
tokio_executors!(tokio::runtime::Runtime, tokio::runtime::Handle);

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(executor: &impl AsyncExecutor) {
        assert_eq!(executor.block_on(async { 42 }), 42);
    }

    #[test]
    fn executors_run_a_future_to_its_end() {
        #[cfg(feature = "async_futures")]
        answer(&FuturesExecutor);
        #[cfg(feature = "async_smol")]
        answer(&SmolExecutor);
        #[cfg(feature = "async_std")]
        answer(&AsyncStdExecutor);
        #[cfg(feature = "async_tokio")]
        answer(&tokio::runtime::Builder::new_current_thread().build().unwrap());
        // Without any of these features, there is still one executor to test.
        struct Ready;
        impl AsyncExecutor for Ready {
            fn block_on<T>(&self, future: impl Future<Output = T>) -> T {
                use std::task::{Context, Poll, Waker};
                match std::pin::pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
                    Poll::Ready(output) => output,
                    Poll::Pending => panic!("it waits for nothing"),
                }
            }
        }
        answer(&Ready);
    }
}
