import { partInPlace } from '#web/platform/loading/in-place.tsx'

/** Shows a hidden number on request; loaded where somebody may have one shown. */
export const usePhoneShown = partInPlace(async () => (await import('./phone-shown.tsx')).PhoneShown)
