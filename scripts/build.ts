import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { createBuilder } from 'vite'
import { buildServer } from './build-server.ts'
import { keepWebBefore, projectFolder, removeStamp, stampOf, writeStamp } from './built.mjs'

// `npm run build`: makes dist/ with the web and the server.

/** Always the production build, whatever this process is run for. */
process.env['NODE_ENV'] = 'production'

async function build(part: 'server' | 'web', work: () => Promise<void>): Promise<void> {
  const before = stampOf(part)
  if (part === 'web') keepWebBefore(before)
  removeStamp(part)
  await work()
  if (!isDeepStrictEqual(stampOf(part), before))
    throw new Error(`The sources were changed meanwhile: build again`)
  writeStamp(part, before)
}

await build('web', async () => {
  const builder = await createBuilder(
    { configFile: join(projectFolder, 'vite.config.ts'), logLevel: 'warn' },
    null,
  )
  await builder.buildApp()
})
await build('server', buildServer)
