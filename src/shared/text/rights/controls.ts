// The words in which a room declares, in its `texts.ts`, what its screens offer.

/** A control of a screen, or a block that is shown there, and the act that it asks for. */
export interface Control<Act extends string = string> {
  act: Act
  /** The text of the control, or of the block that is shown. */
  label: string
  /** The control that contains it, where it is not the screen's own. */
  within?: string
  /**
   * Shown to everybody: whoever may not is refused by the server. @see decisions §2 'UI not gated by flags'
   */
  isAlwaysShown: boolean
}

/** Shown only to those who may do the act. */
export const asked = <const Act extends string>(act: Act, label: string) => ({
  act,
  label,
  isAlwaysShown: false,
})
export const askedIn = <const Act extends string>(within: string, act: Act, label: string) => ({
  ...asked(act, label),
  within,
})
/** Shown to everybody. */
export const always = <const Act extends string>(act: Act, label: string) => ({
  act,
  label,
  isAlwaysShown: true,
})
