/** Text as it was written, with its line breaks and direction. */
export function MessageText({ text }: { text: string }) {
  return text === '' ? null : (
    <span dir="auto" className="whitespace-pre-wrap">
      {text}
    </span>
  )
}
