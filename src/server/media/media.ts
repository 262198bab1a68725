export { isShownPicture, kindOfFile, messageTypeOf } from './file-kind.ts'
export { withFile } from '#server/platform/http/bodies/form-file.ts'
export { keepBytes, keepFile, type KeptFile, orRemove, receiveFile } from './keep-file.ts'
export {
  claimFetch,
  endFetch,
  eraseFile,
  eraseFileOf,
  type FileRow,
  findFile,
  findFileOf,
  insertFile,
  ownAvatarFile,
  ownFile,
  ownMacroFiles,
  ownQuickResponseFiles,
  postponeFetch,
  restartFetches,
  wantFiles,
} from './queries.ts'
export { pictureOf } from './picture.ts'
export { rangeOf, serveFile } from './serve.ts'
export { claimSpareFiles, sweepFiles, sweepFilesJob } from './sweep.ts'
