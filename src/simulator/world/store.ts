import { openJournal, readJournal, rewriteJournal } from './journal.ts'
import { applyChange, type Change, changesOf } from './changes.ts'
import { emptyState, type State } from './state.ts'

/** The state and its journal; one line of the journal is a list of changes. */
export interface Store {
  state: State
  /** Writes the change to the journal, applies it, then publishes it. */
  commit(change: Change): void
  /**
   * Changes committed inside become one line of the journal: all of them survive a kill, or none. Must not
   * await.
   */
  batch<Result>(run: () => Result): Result
  close(): void
}

function loadState(file: string, state: State): void {
  for (const changes of readJournal<Change[]>(file)) for (const change of changes) applyChange(state, change)
  // Compacted at every start: overwritten values are dropped.
  rewriteJournal(
    file,
    changesOf(state).map((change) => [change]),
  )
}

/**
 * Loads the journal, or starts with an empty state that is not persisted.
 * @param publish called with every change after it is durable.
 */
export function openStore(
  file: string | undefined,
  hangMs: number,
  publish: (change: Change) => void,
): Store {
  const state = emptyState(hangMs)
  if (file !== undefined) loadState(file, state)
  const journal = openJournal<Change[]>(file)
  let open: Change[] | undefined
  return {
    state,
    commit: (change) => {
      if (open) {
        // Later steps of the batch must see it; the line is written before anything leaves the process.
        applyChange(state, change)
        open.push(change)
        return
      }
      journal.append([change])
      applyChange(state, change)
      publish(change)
    },
    batch: (run) => {
      if (open) return run()
      const changes: Change[] = []
      open = changes
      try {
        return run()
      } finally {
        open = undefined
        if (changes.length > 0) journal.append(changes)
        for (const change of changes) publish(change)
      }
    },
    close: () => journal.close(),
  }
}
