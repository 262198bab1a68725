import { boundedTexts } from './bounded-texts.ts'
import { noBlindTls, noExportStar, noWallClock, noWideLines } from './every-file.ts'
import { filesByStore, limitedBodies } from './limits.ts'
import { judgedCalls, messagesById } from './rights.ts'
import { sentenceTitles } from './titles.ts'
import { noSingleLook, settledApp, settledEscape } from './waiting.ts'

/** Lint rules of this project, against mistakes that look harmless in a review. */
// oxlint-disable-next-line import/no-default-export -- the linter loads a plugin by its default export
export default {
  meta: { name: 'house' },
  rules: {
    'bounded-texts': boundedTexts,
    'no-export-star': noExportStar,
    'no-blind-tls': noBlindTls,
    'no-single-look': noSingleLook,
    'no-wall-clock': noWallClock,
    'judged-calls': judgedCalls,
    'limited-bodies': limitedBodies,
    'max-columns': noWideLines,
    'messages-by-id': messagesById,
    'files-by-store': filesByStore,
    'sentence-titles': sentenceTitles,
    'settled-app': settledApp,
    'settled-escape': settledEscape,
  },
}
