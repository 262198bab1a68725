import type { ReactNode } from 'react'
import { TooltipHost } from '#web/ui/overlays/tooltip-host.tsx'
import { styleNonce } from './nonce.ts'
import { Toaster } from '#web/ui/states/toaster.tsx'

// Libraries that add style elements at run time (the scroll lock of dialogs) read the page's nonce from this
// name.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() })

/** Tooltips and notifications, once in a page. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <>
      {children}
      <TooltipHost />
      <Toaster />
    </>
  )
}
