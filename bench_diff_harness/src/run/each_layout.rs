//! The programs of a round, one after the other.

use std::ops::ControlFlow;

use super::{Asked, Message};

/// The receiver of messages about pairs.
type Receive<'a> = &'a mut dyn FnMut(Message) -> ControlFlow<()>;

/// Has these pairs measured in each of these layouts of a round. What fails in one is not asked of the
/// others.
pub(super) fn in_each_layout<L>(
    layouts: &[L],
    mut asked: Vec<Asked<'_>>,
    receive: Receive<'_>,
    mut measure: impl FnMut(&L, &[Asked<'_>], Receive<'_>) -> ControlFlow<()>,
    remove: impl Fn(&L),
) -> ControlFlow<()> {
    let mut flow = ControlFlow::Continue(());
    for (number, layout) in layouts.iter().enumerate() {
        if flow.is_continue() && !asked.is_empty() {
            let share: Vec<Asked<'_>> =
                asked.iter().map(|asked| Asked { task: asked.task.share_of(number), ..*asked }).collect();
            flow = measure(layout, &share, &mut |message| {
                if let Some(failed) = message.failed() {
                    asked.retain(|asked| asked.index != failed);
                }
                receive(message)
            });
        }
        remove(layout);
    }
    flow
}

/// Fails all of these pairs for one reason.
pub(super) fn all_failed(asked: &[Asked<'_>], reason: &str, receive: Receive<'_>) -> ControlFlow<()> {
    asked.iter().try_for_each(|asked| receive(Message::found(asked.index, Err(reason.to_owned()))))
}
