import type { ReactNode } from 'react'
import { SideHead } from '#web/shell/navigation/side-head.tsx'
import { DemoRibbon } from './demo-ribbon.tsx'
import { sideLook, useSide } from './use-side.ts'

/** The frame until it is known who has signed in; `children` is the placeholder of the screen. */
export function ShellSkeleton({ children }: { children: ReactNode }) {
  const { isWide, isFolded, hasTopBar } = useSide()
  return (
    <div className="flex h-dvh flex-col">
      <DemoRibbon />
      <div className="flex min-h-0 flex-1">
        {isWide && (
          <div className={sideLook(isFolded)}>
            <SideHead isFolded={isFolded} />
          </div>
        )}
        <div className="flex min-w-0 flex-1 flex-col">
          {hasTopBar && <div className="h-(--height-bar) shrink-0 border-b border-line bg-surface" />}
          <main className="flex min-h-0 flex-1 flex-col *:min-h-0 *:flex-1">{children}</main>
        </div>
      </div>
    </div>
  )
}
