export { isShownPicture, kindOfFile, messageTypeOf } from './file-kind.ts'
export { keepBytes, keepFile, type KeptFile, orRemove, withFile } from './keep-file.ts'
export { profilePictureRoutes } from './profile-pictures.ts'
export {
  claimFetch,
  endFetch,
  eraseFile,
  type FileRow,
  findFile,
  findFileOf,
  insertFile,
  ownAvatarFile,
  ownFile,
  ownQuickResponseFiles,
  postponeFetch,
  restartFetches,
  wantFiles,
} from './queries.ts'
export { pictureOf } from './picture.ts'
export { serveFile } from './serve.ts'
export { sweepFiles, sweepFilesJob } from './sweep.ts'
