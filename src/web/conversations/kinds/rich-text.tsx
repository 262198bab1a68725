import { textParts } from './links.ts'

/** A client's text: line breaks, emoji and either direction, links made clickable, never HTML. */
export function RichText({ text }: { text: string }) {
  return (
    <span className="whitespace-pre-wrap [overflow-wrap:anywhere]">
      {textParts(text).map((part, index) =>
        part.kind === 'text' ? (
          part.text
        ) : (
          <a
            // oxlint-disable-next-line react/no-array-index-key -- the parts of one text never move
            key={index}
            href={part.href}
            target="_blank"
            rel="noopener noreferrer nofollow"
            className="text-accent-text underline underline-offset-2"
          >
            {part.text}
          </a>
        ),
      )}
    </span>
  )
}
