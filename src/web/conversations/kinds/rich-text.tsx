import type { ReactNode } from 'react'
import { safeHref, textParts } from './links.ts'

/** A client's text: line breaks, emoji and either direction, links made clickable, never HTML. */
export function RichText({ text }: { text: string }) {
  return (
    <span className="whitespace-pre-wrap [overflow-wrap:anywhere]">
      {textParts(text).map((part, index) =>
        part.kind === 'text' ? (
          part.text
        ) : (
          // oxlint-disable-next-line react/no-array-index-key -- the parts of one text never move
          <SafeLink key={index} href={part.href}>
            {part.text}
          </SafeLink>
        ),
      )}
    </span>
  )
}

/** A link when its address may be followed, else its words alone. */
export function SafeLink({
  href,
  className = '',
  children,
}: {
  href: string | undefined
  className?: string
  children: ReactNode
}) {
  const safe = href === undefined ? undefined : safeHref(href)
  if (safe === undefined) return <span className={className}>{children}</span>
  return (
    <a
      href={safe}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className={`${className} text-accent-text underline underline-offset-2`}
    >
      {children}
    </a>
  )
}
