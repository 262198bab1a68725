/** A start that must not go on; its message is one clear line for the terminal. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused'
}
