import type { ReactNode } from 'react'
import { cn } from '#web/ui/cn.ts'
import { AccountBlock } from './account-block.tsx'
import { NavLink } from './nav-link.tsx'
import { useNavGroups } from './nav.ts'
import { SideHead } from './side-head.tsx'

/** The navigation of the user's role, and the user; also the content of the drawer. */
export function SideBar({
  isFolded,
  foldButton,
  onNavigate,
}: {
  isFolded: boolean
  foldButton?: ReactNode
  onNavigate?: () => void
}) {
  const groups = useNavGroups()
  return (
    <>
      <SideHead isFolded={isFolded} foldButton={foldButton} />
      <nav aria-label="Telas" className="min-h-0 flex-1 overflow-y-auto px-2">
        {groups.map((items, index) => (
          <ul
            key={items[0]?.path}
            className={cn('grid gap-px py-2', index > 0 && 'mt-1 border-t border-line pt-3')}
          >
            {items.map((item) => (
              <li key={item.path}>
                <NavLink item={item} isFolded={isFolded} {...(onNavigate && { onNavigate })} />
              </li>
            ))}
          </ul>
        ))}
      </nav>
      <AccountBlock
        isFolded={isFolded}
        foldButton={isFolded && foldButton}
        {...(onNavigate && { onNavigate })}
      />
    </>
  )
}
