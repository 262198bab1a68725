/** A text with what was found in it marked. */
export function Marked({ text, marks }: { text: string; marks: readonly (readonly [number, number])[] }) {
  const parts = marks.flatMap(([from, to], at) => [
    { key: `${at}`, isMark: false, text: text.slice(marks[at - 1]?.[1] ?? 0, from) },
    { key: `${at}m`, isMark: true, text: text.slice(from, to) },
  ])
  const rest = text.slice(marks.at(-1)?.[1] ?? 0)
  return (
    <>
      {parts.map((part) =>
        part.isMark ? (
          <mark key={part.key} className="rounded-[3px] bg-found px-px font-semibold text-ink">
            {part.text}
          </mark>
        ) : (
          <span key={part.key}>{part.text}</span>
        ),
      )}
      {rest}
    </>
  )
}
