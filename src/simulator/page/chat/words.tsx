/** What somebody wrote, in their own lines and direction. */
export const Words = ({ text }: { text: string }) =>
  text === '' ? null : (
    <span dir="auto" className="whitespace-pre-wrap">
      {text}
    </span>
  )
