/** What somebody wrote, in their own lines and direction. */
export function Words({ text }: { text: string }) {
  return text === '' ? null : (
    <span dir="auto" className="whitespace-pre-wrap">
      {text}
    </span>
  )
}
