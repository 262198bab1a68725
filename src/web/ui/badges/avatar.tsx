import { UserRound } from 'lucide-react'
import { useState, type CSSProperties } from 'react'
import { cn } from '#web/ui/cn.ts'
import { hueOf, initials } from './initials.ts'

const sizes = {
  24: 'size-6 text-xs tracking-tight',
  28: 'size-7 text-xs',
  36: 'size-9 text-sm',
  40: 'size-10 text-base',
  64: 'size-16 text-xl',
}

/** A picture, or initials on a background in the hue of the name. Decorative: the name is next to it. */
export function Avatar({
  name,
  src,
  size = 36,
  isLive = false,
  className,
}: {
  name: string
  src?: string | null | undefined
  size?: keyof typeof sizes
  /** A green dot: online. */
  isLive?: boolean
  className?: string
}) {
  const [brokenSrc, setBrokenSrc] = useState<string>()
  const hasPicture = src && src !== brokenSrc
  return (
    <span
      aria-hidden
      title={name}
      style={{ '--hue': hueOf(name) } as CSSProperties}
      className={cn(
        'avatar relative inline-grid shrink-0 place-items-center rounded-full',
        'leading-none font-semibold tracking-[0.01em] select-none',
        sizes[size],
        className,
      )}
    >
      {hasPicture ? (
        <img
          src={src}
          alt=""
          loading="lazy"
          className="size-full rounded-full object-cover"
          onError={() => setBrokenSrc(src)}
        />
      ) : (
        initials(name) || <UserRound className="size-1/2" />
      )}
      {isLive && (
        <span
          className={[
            'absolute -right-0.5 -bottom-0.5 size-2.5',
            'rounded-full bg-green ring-2 ring-surface',
          ].join(' ')}
        />
      )}
    </span>
  )
}
