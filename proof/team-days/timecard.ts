/** What somebody was, as they themselves would note it. */
export type NotedState = 'available' | 'paused' | 'away' | 'gone'

/** What somebody did with their day, noted beside the product, to be compared with its record. */
export class Timecard {
  #state: NotedState = 'gone'
  #sinceMs = 0
  readonly #sums: Record<NotedState, number> = { available: 0, paused: 0, away: 0, gone: 0 }
  /** How far its sums may be from the truth: a change happened at some moment while it was asked for. */
  doubtMs = 0

  /**
   * @param atMs when the state began, at the latest, in milliseconds since 1970
   * @param doubtMs and how much earlier at most
   */
  note(state: NotedState, atMs: number, doubtMs = 0): void {
    this.#sums[this.#state] += this.#state === 'gone' ? 0 : atMs - this.#sinceMs
    this.#state = state
    this.#sinceMs = atMs
    // The record has whole seconds.
    this.doubtMs += doubtMs + 1000
  }

  get state(): NotedState {
    return this.#state
  }

  /** Milliseconds in a state. */
  sum(state: Exclude<NotedState, 'gone'>): number {
    return this.#sums[state]
  }
}
