import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import { failpoint } from '#server/platform/failpoints.ts'
import type { FileHolder, Whole } from './holder.ts'
import type { FilePlace, FilePlaces } from './places.ts'

/** What is needed to move files between the places. */
export interface Mover {
  places: FilePlaces
  /** Receives bytes into a file of this machine, within its room. */
  spool(bytes: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Whole>
}

/**
 * `moved`: the new place has the same bytes, read back, and the old one has none. `gone`: there was nothing
 * to move.
 */
export type Relocated =
  | { kind: 'moved'; sizeBytes: number; sha256: string }
  /** The bytes at the old place were not those expected, and those at the new one are. */
  | { kind: 'replaced'; sizeBytes: number; sha256: string }
  | { kind: 'gone' }

/** The new place does not give back what it was given. Nothing was removed. */
export class Unfaithful extends Error {
  override readonly name = 'Unfaithful'
}

/**
 * Moves a file. It is at the old place until the new one has given back all of its bytes: whenever this ends,
 * the file is there to be read.
 * @param file.sha256 that it is expected to have, if that is known
 * @throws Unfaithful, BucketError, DiskFull; then it is at the old place
 */
export async function relocate(
  { places, spool }: Mover,
  { name, to, sha256 }: { name: string; to: FilePlace; sha256?: string | undefined },
): Promise<Relocated> {
  const target = places[to]
  const source = places[to === 's3' ? 'disk' : 's3']
  if (!target || !source) throw new Error('files are moved between two places')
  const here = await hashAt(source, name)
  if (!here) return { kind: 'gone' }
  const there = await hashAt(target, name)
  // What a move that was broken off has copied; or the better one of two.
  const isThere = there !== undefined && (there.sha256 === here.sha256 || there.sha256 === sha256)
  if (!isThere) {
    await put({ places, spool, target }, name, here)
    await failpoint('move.copied')
    if ((await hashAt(target, name))?.sha256 !== here.sha256)
      throw new Unfaithful(`the file ${name} is not read as it was written`)
  }
  await failpoint('move.verified')
  await source.remove(name)
  await failpoint('move.removed')
  const left = isThere ? there : here
  return { kind: left.sha256 === here.sha256 ? 'moved' : 'replaced', ...left }
}

interface Measured {
  sizeBytes: number
  sha256: string
}

/** A bucket is given the file of the disk as it is; the disk gets a whole one by its spool. */
async function put(
  { places, spool, target }: Mover & { target: FileHolder },
  name: string,
  { sizeBytes, sha256 }: Measured,
): Promise<void> {
  if (target !== places.disk) {
    const path = places.disk.pathOf(name)
    return target.keep(name, { path, sizeBytes, sha256, drop: () => Promise.resolve() })
  }
  const bytes = await places.s3?.read(name)
  if (!bytes) return
  const spooled = await spool(bytes as AsyncIterable<Uint8Array>, sizeBytes)
  try {
    await target.keep(name, spooled)
  } finally {
    await spooled.drop()
  }
}

async function hashAt(place: FileHolder, name: string): Promise<Measured | undefined> {
  const bytes: Readable | undefined = await place.read(name)
  if (!bytes) return undefined
  const hash = createHash('sha256')
  let sizeBytes = 0
  for await (const chunk of bytes as AsyncIterable<Buffer>) {
    hash.update(chunk)
    sizeBytes += chunk.length
  }
  return { sizeBytes, sha256: hash.digest('hex') }
}
