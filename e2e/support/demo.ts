import { inject } from 'vitest'

export interface Demo {
  url: string
  password: string
  /** Where it looks for the servers of the AI; nothing listens there until a test starts them. */
  agentPort: number
}

declare module 'vitest' {
  export interface ProvidedContext {
    /** One for each worker. */
    demos: Demo[]
  }
}

/** The demonstration of this worker; each worker has its own. */
export function ownDemo(): Demo {
  const worker = Number(process.env['VITEST_POOL_ID'])
  const demo = inject('demos')[worker - 1]
  if (!demo) throw new Error(`no demonstration for worker ${worker}`)
  return demo
}
