/** Shared by all dialogs: the overlay, and the sheet or box on it. */
export const dialogGround =
  'animate-fade fixed inset-0 z-40 grid place-items-end bg-overlay md:place-items-center md:p-6'

export const dialogLook = [
  'animate-sheet flex max-h-[94dvh] w-full flex-col overflow-hidden rounded-t-[14px] bg-surface',
  'shadow-float outline-none md:animate-pop md:max-h-full md:max-w-[548px] md:rounded-[12px]',
].join(' ')
