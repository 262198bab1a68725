import { Link, useLocation } from 'wouter'
import { useUnreadMine } from '#web/conversations/conversations.tsx'
import { cn } from '#web/ui/cn.ts'
import { CountBadge } from '#web/ui/badges/count-badge.tsx'
import { tooltip } from '#web/ui/overlays/tooltip.ts'
import type { NavItem } from './nav-items.ts'

export function NavLink({
  item,
  isFolded,
  onNavigate,
}: {
  item: NavItem
  isFolded: boolean
  onNavigate?: () => void
}) {
  const [path] = useLocation()
  const { icon: Icon, label } = item
  const isHere = [item.path, ...item.also].some((own) => path === own || path.startsWith(`${own}/`))
  return (
    <Link
      href={item.path}
      aria-current={isHere ? 'page' : undefined}
      {...(onNavigate && { onClick: onNavigate })}
      {...(isFolded && tooltip(label, 'right'))}
      className={cn(
        'relative flex items-center gap-2.5 rounded-control text-sm font-medium',
        isFolded ? 'h-10 justify-center' : 'h-[34px] px-2 max-md:h-11',
        isHere ? 'bg-selected text-accent-text' : 'text-ink-2 hover:bg-hover hover:text-ink',
      )}
    >
      <Icon size={16} aria-hidden />
      <span className={isFolded ? 'sr-only' : 'min-w-0 truncate'}>{label}</span>
      {item.path === '/conversas-ativas' && <UnreadBadge isFolded={isFolded} />}
    </Link>
  )
}

function UnreadBadge({ isFolded }: { isFolded: boolean }) {
  const count = useUnreadMine()
  return (
    <CountBadge
      count={count}
      label={count === 1 ? '1 conversa minha não lida' : `${count} conversas minhas não lidas`}
      className={isFolded ? 'absolute top-px right-px ring-2 ring-side' : 'ml-auto'}
    />
  )
}
