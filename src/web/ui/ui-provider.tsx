import { Tooltip } from 'radix-ui'
import type { ReactNode } from 'react'
import { styleNonce } from './nonce.ts'
import { Toaster } from '#web/ui/states/toaster.tsx'

// Libraries that add style elements at run time (the scroll lock of dialogs) read the page's nonce from this
// name.
Object.assign(globalThis, { __webpack_nonce__: styleNonce() })

/** The providers of tooltips and notifications, once in a page. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <Tooltip.Provider delayDuration={700} skipDelayDuration={300}>
      {children}
      <Toaster />
    </Tooltip.Provider>
  )
}
