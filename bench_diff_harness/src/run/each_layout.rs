//! A round: in the program as linked, and in the layouts of the round one after the other.

use std::ops::ControlFlow;

use super::{Asked, Message};

/// The receiver of messages about pairs.
pub(super) type Receive<'a> = &'a mut dyn FnMut(Message) -> ControlFlow<()>;

/// Processes of one program, or of two.
pub(super) trait InLayouts {
    /// What is linked for one of the programs of a round.
    type Layout;

    /// The layouts of the next round.
    ///
    /// # Errors
    ///
    /// The reason why there are none, for the pairs of that round.
    fn next_round(&mut self) -> Result<Vec<Self::Layout>, String>;

    /// Has all of these pairs measured in this layout, or in the program as linked.
    fn all(
        &mut self,
        layout: Option<&Self::Layout>,
        asked: &[Asked<'_>],
        receive: Receive<'_>,
    ) -> ControlFlow<()>;

    /// Has each of these pairs measured where it asks for it. What fails in one layout is not asked of the
    /// others.
    fn linked_and_in_layouts(&mut self, asked: &[Asked<'_>], receive: Receive<'_>) -> ControlFlow<()> {
        let (mut in_layout, as_linked): (Vec<Asked<'_>>, Vec<Asked<'_>>) =
            asked.iter().partition(|asked| asked.in_layout);
        self.all(None, &as_linked, receive)?;
        if in_layout.is_empty() {
            return ControlFlow::Continue(());
        }
        let layouts = match self.next_round() {
            Ok(layouts) => layouts,
            Err(reason) => return all_failed(&in_layout, &reason, receive),
        };
        for (number, layout) in layouts.into_iter().enumerate() {
            let share: Vec<Asked<'_>> =
                in_layout.iter().map(|asked| Asked { task: asked.task.share_of(number), ..*asked }).collect();
            self.all(Some(&layout), &share, &mut |message| {
                if let Some(failed) = message.failed() {
                    in_layout.retain(|asked| asked.index != failed);
                }
                receive(message)
            })?;
        }
        ControlFlow::Continue(())
    }
}

/// Fails all of these pairs for one reason.
pub(super) fn all_failed(asked: &[Asked<'_>], reason: &str, receive: Receive<'_>) -> ControlFlow<()> {
    asked.iter().try_for_each(|asked| receive(Message::found(asked.index, Err(reason.to_owned()))))
}
