// What stands around a figure in an answer without saying anything. Everything else says something: '2 🍕' is
// an order and '2❓' a question, so what is not listed here makes of a figure more than an answer.

const punctuation = String.raw`[\s.,:;!❗❕()[\]"“”'‘’*_~\x60–—-]`
const faces = '[😀-😶🙁-🙄☺☹🤗🤩🤬🤭🥰🥲🥳🥺]'
const gestures = '[👆-👏👊✊✋✌☝🖐🖖🙅-🙇🙋-🙏🤘-🤟💪🫡🫶✅✔]'
const hearts = '[❤♥❣💓-💟🖤🤍🤎🧡🩵-🩷]'
/** Of a keycap, of the look of an emoji, of its colour of skin and its sex, and what is invisible. */
const parts = String.raw`\u200d[♀♂]|[\ufe0e\ufe0f\u20e3\p{Emoji_Modifier}\p{Cf}]`

const ornament = new RegExp([punctuation, faces, gestures, hearts, parts].join('|'), 'gu')

/** The text without punctuation, gestures, faces and hearts: '(1)', '*1*', '１.' and '1 👍' become '1'. */
const withoutOrnament = (text: string): string => text.normalize('NFKC').replace(ornament, '')

const gesture = new RegExp([faces, gestures, hearts].join('|'), 'u')

/** Whether a gesture, a face or a heart stands in a text. */
export const hasGesture = (text: string): boolean => gesture.test(text)

const separators = /[\s.,:;!()"'“”‘’*_~`/–—-]+/u

/**
 * The words and figures of a message, for comparing: without case, accents and ornament, and without what
 * separates them. Other signs stay with their word, or as one.
 */
export const wordsIn = (text: string): string[] =>
  text
    .normalize('NFKD')
    .replace(/[\p{M}]/gu, '')
    .toLowerCase()
    .split(separators)
    .map(withoutOrnament)
    .filter((word) => word !== '')

/** Whether a figure is written like '²' or '₂': Unicode takes it for a digit, but nobody answers so. */
export const hasRaisedFigure = (text: string): boolean => /[²³¹⁰-₉]/u.test(text)
