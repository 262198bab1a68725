import { createHash, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import type { Bucket, Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/db.ts'

// A command asks the running servers where they keep files: it must not move them to where one cannot read
// them.

/** Where a running server keeps files, beside where this program does. */
export interface RunningServer {
  host: string
  isSameBucket: boolean
  isSameDisk: boolean
}

type Where = Pick<Config, 'dataDir' | 'bucket'>

const asked = z.object({ filesAsked: z.uuid() })
const answered = z.object({
  filesAnswered: z.uuid(),
  station: z.string(),
  host: z.string(),
  disk: z.string(),
  bucket: z.nullable(z.string()),
})

/** Notes may be lost: it is asked again, and each time waited for. */
const asks = 4
const answerWithinMs = 250

/** A hash, since every session of the database may read what is broadcast. */
const printOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 32)
const bucketOf = (bucket: Bucket | undefined) =>
  bucket ? printOf(`${bucket.endpoint} ${bucket.name}`) : null
const diskOf = (dataDir: string) => printOf(`${hostname()} ${dataDir}`)

/** Answers commands that ask where this server keeps files. @returns a function that ends it */
export function answerAsRunningServer(database: Database, { dataDir, bucket }: Where): () => void {
  const here = { station: randomUUID(), host: hostname(), disk: diskOf(dataDir), bucket: bucketOf(bucket) }
  return database.signals.onNote((note) => {
    const { data } = asked.safeParse(note)
    if (data) database.signals.broadcast({ filesAnswered: data.filesAsked, ...here })
  })
}

/** Asks all running servers. It takes a second. */
export async function askRunningServers(
  database: Database,
  { dataDir, bucket }: Where,
): Promise<RunningServer[]> {
  const id = randomUUID()
  const found = new Map<string, RunningServer>()
  const off = database.signals.onNote((note) => {
    const { data } = answered.safeParse(note)
    if (data?.filesAnswered !== id) return
    found.set(data.station, {
      host: data.host,
      isSameBucket: data.bucket === bucketOf(bucket),
      isSameDisk: data.disk === diskOf(dataDir),
    })
  })
  try {
    for (let n = 0; n < asks; n++) {
      database.signals.broadcast({ filesAsked: id })
      await sleep(answerWithinMs)
    }
  } finally {
    off()
  }
  return [...found.values()]
}
