const browsers: readonly (readonly [name: string, mark: RegExp])[] = [
  ['Edge', /Edg(?:A|iOS)?\/(\d+)/],
  ['Opera', /OPR\/(\d+)/],
  ['Samsung Internet', /SamsungBrowser\/(\d+)/],
  ['Firefox', /(?:Firefox|FxiOS)\/(\d+)/],
  ['Chrome', /(?:HeadlessChrome|Chrome|CriOS)\/(\d+)/],
  ['Safari', /Version\/(\d+)[\d.]* (?:Mobile\/\S+ )?Safari/],
]

const systems: readonly (readonly [name: string, mark: RegExp])[] = [
  ['iPhone', /iPhone/],
  ['iPad', /iPad/],
  ['Android', /Android/],
  ['Windows', /Windows/],
  ['ChromeOS', /CrOS/],
  ['macOS', /Mac OS X|Macintosh/],
  ['Linux', /Linux|X11/],
]

/** What a User-Agent says of browser and system; a program that is no browser has its own name. */
function deviceOf(userAgent: string): { browser: string; version: string; system: string } {
  const system = systems.find(([, mark]) => mark.test(userAgent))?.[0] ?? ''
  for (const [browser, mark] of browsers) {
    const version = mark.exec(userAgent)?.[1]
    if (version !== undefined) return { browser, version, system }
  }
  const [, browser = userAgent, version = ''] = /^([\w.-]+)(?:\/(\d+))?/.exec(userAgent) ?? []
  return { browser: browser.slice(0, 40), version, system }
}

/** Whether it is a telephone or a tablet. */
export const isHandheld = (userAgent: string) =>
  ['iPhone', 'iPad', 'Android'].includes(deviceOf(userAgent).system)

/** 'Chrome · Windows' */
export function shortDevice(userAgent: string): string {
  const { browser, system } = deviceOf(userAgent)
  return [browser, system].filter((part) => part !== '').join(' · ')
}

/** 'Chrome 142, Windows' */
export function longDevice(userAgent: string): string {
  const { browser, version, system } = deviceOf(userAgent)
  return [[browser, version].filter((part) => part !== '').join(' '), system]
    .filter((part) => part !== '')
    .join(', ')
}
