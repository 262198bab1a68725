import { openJournal, readJournal, rewriteJournal } from './journal.ts'
import { applyChange, changesOf } from './changes.ts'
import type { Change } from './changes.ts'
import { emptyState } from './state.ts'
import type { State } from './state.ts'

/** The state and the only two ways to change it; one line of the journal is a list of changes. */
export interface Store {
  state: State
  /** Writes the change to the journal, carries it out, then publishes it. */
  commit(change: Change): void
  /** What is committed inside becomes one line of the journal: all of it survives a kill, or nothing. Must not await. */
  batch<Result>(run: () => Result): Result
  close(): void
}

function loadState(file: string, state: State): void {
  for (const changes of readJournal<Change[]>(file)) for (const change of changes) applyChange(state, change)
  // Shortened at every start: what was overwritten since is left out.
  rewriteJournal(
    file,
    changesOf(state).map((change) => [change]),
  )
}

/**
 * Loads the journal, or begins an empty state that is kept nowhere.
 * @param publish is told every change after it is safe.
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
        // The rest of the batch must see it; the line follows before anything leaves the process.
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
