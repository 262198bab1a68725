import { storedChoice } from '#web/platform/browser/stored.ts'

const most = 24

const stored = storedChoice('balcao:recent-emojis', (value) => value ?? '')

/** The emojis chosen last in this browser, newest first, with their skin tones. */
export function recentEmojis(): string[] {
  return stored.get().split(' ').filter(Boolean)
}

export function noteEmoji(emoji: string): void {
  const others = recentEmojis().filter((each) => each !== emoji)
  stored.set([emoji, ...others].slice(0, most).join(' '))
}

/** 0: default; 1 to 5 from light to dark. */
export const chosenTone = storedChoice('balcao:emoji-tone', (value) =>
  /^[1-5]$/.test(value ?? '') ? Number(value) : 0,
)
