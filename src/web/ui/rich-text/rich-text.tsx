import { createContext, type ReactNode, use, useState } from 'react'
import { shownAfter } from './fold.ts'
import { safeHref } from './links.ts'
import { type Block, formatted, type Inline } from './whatsapp-format.ts'

/** How words without formatting are shown, where some of them stand out. */
export const WordMarks = createContext<(words: string) => ReactNode>((words) => words)

/**
 * A client's text with WhatsApp's formatting, line breaks, emoji, both directions and links, but never HTML.
 * Of a long text the beginning, and more by 'Ler mais' (`data-unfold`), as WhatsApp shows it.
 */
export function RichText({ text }: { text: string }) {
  const [presses, setPresses] = useState(0)
  // Counted anew for each text, since a message may be edited.
  const shown = shownAfter(text, presses)
  if (shown >= text.length) return <Formatted text={text} />
  return (
    <>
      <Formatted text={text.slice(0, shown)} />…{' '}
      <button
        type="button"
        data-unfold
        className="min-h-6 font-medium text-accent-text underline-offset-2 hover:underline"
        onClick={() => setPresses(presses + 1)}
      >
        Ler mais
      </button>
    </>
  )
}

function Formatted({ text }: { text: string }) {
  const blocks = formatted(text)
  const [first] = blocks
  if (first?.kind === 'text' && blocks.length === 1) return <Words parts={first.children} />
  return blocks.map((block, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the blocks of one text never move
    <BlockOf key={index} block={block} isLast={index === blocks.length - 1} />
  ))
}

const wrapping = 'whitespace-pre-wrap [overflow-wrap:anywhere]'

function BlockOf({ block, isLast }: { block: Block; isLast: boolean }) {
  switch (block.kind) {
    case 'text':
      // The last line shares its row with the time.
      return isLast ? <Words parts={block.children} /> : <div>{<Words parts={block.children} />}</div>
    case 'quote':
      return (
        <blockquote className="my-0.5 border-l-[3px] border-ink/25 pl-2 text-ink-2">
          <Words parts={block.children} />
        </blockquote>
      )
    case 'code':
      return (
        <pre className={`my-1 rounded-[6px] bg-ink/6 px-2 py-1 font-mono text-sm ${wrapping}`}>
          <code>{block.text}</code>
        </pre>
      )
    case 'list':
      return <ul className="my-0.5 list-disc pl-5">{itemsOf(block.items)}</ul>
    case 'numbers':
      return (
        <ol start={block.start} className="my-0.5 list-decimal pl-6">
          {itemsOf(block.items)}
        </ol>
      )
  }
}

function itemsOf(items: readonly Inline[][]): ReactNode {
  return items.map((parts, index) => (
    // oxlint-disable-next-line react/no-array-index-key -- the lines of one list never move
    <li key={index}>
      <Words parts={parts} />
    </li>
  ))
}

function Words({ parts }: { parts: readonly Inline[] }) {
  return <span className={wrapping}>{partsOf(parts, use(WordMarks))}</span>
}

function partsOf(parts: readonly Inline[], mark: (words: string) => ReactNode): ReactNode {
  return parts.map((part, index) => {
    switch (part.kind) {
      case 'text':
        return mark(part.text)
      case 'link':
        return (
          // oxlint-disable-next-line react/no-array-index-key -- the parts of one text never move
          <SafeLink key={index} href={part.href}>
            {part.text}
          </SafeLink>
        )
      case 'code':
        return (
          // oxlint-disable-next-line react/no-array-index-key -- the parts of one text never move
          <code key={index} className="rounded-[4px] bg-ink/6 px-1 font-mono text-sm">
            {part.text}
          </code>
        )
      case 'bold':
        // oxlint-disable-next-line react/no-array-index-key -- the parts of one text never move
        return <strong key={index}>{partsOf(part.children, mark)}</strong>
      case 'italic':
        // oxlint-disable-next-line react/no-array-index-key -- the parts of one text never move
        return <em key={index}>{partsOf(part.children, mark)}</em>
      case 'strike':
        // oxlint-disable-next-line react/no-array-index-key -- the parts of one text never move
        return <s key={index}>{partsOf(part.children, mark)}</s>
    }
  })
}

/** A link when its URL is safe, otherwise its text. */
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
