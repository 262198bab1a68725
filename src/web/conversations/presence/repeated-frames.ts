/**
 * What the chat on the screen has last sent to the server, to be sent again on a new connection. Apart from
 * the hooks that set it, which are loaded with a chat.
 */
export const repeated: { viewing?: (() => void) | undefined; typing?: (() => void) | undefined } = {}

/** Sends again which chat is open, and then whether somebody types in it. */
export function repeatFrames(): void {
  repeated.viewing?.()
  repeated.typing?.()
}
