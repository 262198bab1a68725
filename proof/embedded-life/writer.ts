import { writeSync } from 'node:fs'
import pg from 'pg'
import { startEmbeddedPostgres } from '#server/platform/embedded-postgres.ts'

// A program that writes until it is killed. Each writer inserts 1, 2, 3 … and prints a line for each
// acknowledged row, with a write that returns after the pipe has it. After a lost connection it repeats the
// row.
const { dataDir, run, writers } = JSON.parse(process.argv[2] ?? '{}') as {
  dataDir: string
  run: string
  writers: number
}
const printLine = (...words: (string | number)[]): void => void writeSync(1, `${words.join(' ')}\n`)

const start = performance.now()
const server = await startEmbeddedPostgres({
  dataDir,
  program: 'escritor',
  log: ({ msg }) => printLine('log', msg),
})
const startedMs = Math.round(performance.now() - start)
server.onLost(() => process.exit(3))
const pool = new pg.Pool({ ...server.connection, max: writers })
pool.on('error', () => undefined)
pool.on('connect', (client) => client.on('error', () => undefined))
await pool.query(
  `create table if not exists writes (
     run text, writer int, n int, at timestamptz default now(), primary key (run, writer, n))`,
)
printLine('started', startedMs)

async function write(writer: number): Promise<never> {
  for (let n = 1; ; n += 1)
    for (;;) {
      try {
        await pool.query(
          { name: 'w', text: 'insert into writes values ($1, $2, $3) on conflict do nothing' },
          [run, writer, n],
        )
        printLine('ack', writer, n)
        break
      } catch {
        // The server is restarting. The row may have been written already.
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
    }
}

process.stdin.once('data', () => void server.stop().then(() => process.exit(0)))
await Promise.all(Array.from({ length: writers }, (_, writer) => write(writer)))
