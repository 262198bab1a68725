import { join } from 'node:path'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/db.ts'
import { lockName } from '#server/platform/database/locks.ts'
import { type FilePlace, installation } from '#server/schema/installation.ts'
import { createBucket } from './bucket.ts'
import { createFolder, type Folder } from './folder.ts'
import type { FileHolder } from './holder.ts'

export type { FilePlace }

type Where = Pick<Config, 'dataDir' | 'mediaStore' | 'bucket'>

/** The folder of files, and in it the one of those that are on their way. Nobody else goes there. */
export const uploadsFolder = (dataDir: string): string => join(dataDir, 'uploads')
export const spoolFolder = (dataDir: string): string => join(uploadsFolder(dataDir), 'cache')

/** The places of files. One may be at either, and while files are moved at both. */
export interface FilePlaces {
  disk: Folder
  /** undefined without a bucket in the environment. */
  s3: FileHolder | undefined
}

export function openPlaces({ dataDir, bucket }: Where): FilePlaces {
  return { disk: createFolder(uploadsFolder(dataDir)), s3: bucket && createBucket(bucket) }
}

/**
 * Where new files go: where they were moved to, or else where the environment says. Without a bucket they go
 * to the disk, whatever was said, since nobody could read them elsewhere.
 * @param database absent: as if nobody had ever moved them
 */
export async function placeOfNew(
  { mediaStore, bucket }: Where,
  database: Pick<Database, 'select'> | undefined,
): Promise<FilePlace> {
  if (!bucket) return 'disk'
  const [row] = (await database?.select({ place: installation.filePlace }).from(installation)) ?? []
  return row?.place ?? mediaStore
}

/** Where new files go, as an administrator knows it: the path of a folder, or `s3://BUCKET`. */
export async function describePlace(
  config: Where,
  database: Pick<Database, 'select'> | undefined,
): Promise<string> {
  const { bucket, dataDir } = config
  const isInBucket = (await placeOfNew(config, database)) === 's3'
  return bucket && isInBucket ? `s3://${bucket.name}` : uploadsFolder(dataDir)
}

/**
 * Locks a name until the end of the transaction. Whoever removes a file from both places holds it, and
 * whoever moves one: it would otherwise be copied while it is removed, and remain for good.
 */
export const lockFile = (db: Parameters<typeof lockName>[0], name: string): Promise<void> =>
  lockName(db, fileLock(name))

export const fileLock = (name: string): string => `file ${name}`
