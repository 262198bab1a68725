import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { StartRefused } from './start-refused.ts'

/** The note that stands in a data folder while a copy is attached to it. */
export const unfinishedAttach = (dataDir: string): string => join(dataDir, 'attach.unfinished')

/** @throws StartRefused for a data folder to which a copy was attached only in part */
export function refuseUnfinished(dataDir: string): void {
  if (existsSync(unfinishedAttach(dataDir)))
    throw new StartRefused(
      `A cópia que se anexava a ${dataDir} não chegou inteira: repita npm run admin -- attach, ou apague ` +
        `o que está em ${dataDir}.`,
    )
}
