import { type BackupCipher, unseal } from './cipher.ts'
import { fileLine, type FileLine, type Manifest } from './manifest.ts'
import type { BackupStore } from './store.ts'

export const indexName = 'files/index.jsonl.zst'

/** The member that has the bytes of this hash. */
export const memberOf = (sha256: string, cipher: BackupCipher | undefined): string =>
  `files/${cipher ? cipher.nameOf(sha256) : sha256}`

/** The files that a backup lists. */
export async function* readFileLines(
  { store, cipher }: { store: BackupStore; cipher: BackupCipher | undefined },
  folder: string,
  { files }: Pick<Manifest, 'files'>,
): AsyncGenerator<FileLine> {
  for (const { name } of files.index)
    for await (const lines of unseal(await store.read(folder, name), cipher))
      for (const line of lines) yield fileLine.parse(JSON.parse(line))
}
