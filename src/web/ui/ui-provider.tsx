import { Tooltip } from 'radix-ui'
import type { ReactNode } from 'react'
import { Toaster } from './toaster.tsx'

/** What tooltips and notifications need around them, once in a page. */
export function UiProvider({ children }: { children: ReactNode }) {
  return (
    <Tooltip.Provider delayDuration={700} skipDelayDuration={300}>
      {children}
      <Toaster />
    </Tooltip.Provider>
  )
}
