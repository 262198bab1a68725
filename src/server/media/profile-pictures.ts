import { AppError } from '#shared/errors.ts'
import {
  getPicture,
  maxPictureBytes,
  pictureUrlOf,
  removePicture,
  setPicture,
} from '#shared/users/profile.ts'
import { record } from '#server/audit/audit.ts'
import { type Database, inTransaction } from '#server/platform/database/db.ts'
import type { FileStore } from '#server/platform/file-store.ts'
import type { Who } from '#server/platform/http/access.ts'
import { withFile } from '#server/platform/http/bodies/form-file.ts'
import type { Http } from '#server/platform/http/http.ts'
import { type FileRules, keepFile } from './keep-file.ts'
import { pictureOf } from './picture.ts'
import { findFile, ownProfilePicture } from './queries.ts'
import { serveFile } from './serve.ts'

const pictureRules: FileRules = {
  maxBytes: maxPictureBytes,
  tooLarge: 'profile.picture_too_large',
  check(head) {
    if (!pictureOf(head)) throw new AppError('profile.picture_kind')
  },
}

/** The profile picture: set and removed by its owner, seen by every colleague. */
export function profilePictureRoutes(
  { route }: Http,
  { database, files }: { database: Database; files: FileStore },
): void {
  const own = (who: Who, name: string | undefined) =>
    inTransaction(database, async (db) => {
      await ownProfilePicture(db, who.id, name)
      db.emit({ type: 'account_changed', userId: who.id })
      await record(db, who, {
        action: 'user.picture',
        resourceId: who.id,
        details: { isRemoved: name === undefined },
      })
    })

  route(setPicture, async ({ who, request }) => {
    const { name } = await withFile(request, (part) => keepFile({ database, files }, part, pictureRules))
    await own(who, name)
    return { pictureUrl: pictureUrlOf(name) ?? '' }
  })

  route(removePicture, async ({ who }) => {
    await own(who, undefined)
    return undefined
  })

  route(getPicture, async ({ params, request, reply }) => {
    const file = await findFile(database, params.name)
    if (file?.userId == null) throw new AppError('media.not_found')
    return serveFile(files, { request, reply }, file, { fileName: null, isDownload: false, isLasting: true })
  })
}
