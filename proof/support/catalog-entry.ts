import type { Scenario } from './scenario.ts'

/** A proof, which is only loaded to run. */
export interface CatalogEntry {
  name: string
  /** What a passed run shows. */
  shows: string
  /** The approximate duration with default options on two free cores. */
  takes: string
  /**
   * The faults of the product that it has found, each with the commit that mended it: one that names the
   * proof, changes both, or came with its runs.
   */
  found: readonly string[]
  /** What nothing else would show. */
  without: string
  load(): Promise<Scenario>
}
