/** A key as printed on the keyboard. */
export function KeyCap({ children }: { children: string }) {
  return (
    <kbd
      className={[
        'inline-block min-w-5 rounded-[4px] border border-line-strong',
        'px-1 text-center font-sans text-xs whitespace-nowrap text-ink-2',
      ].join(' ')}
    >
      {children}
    </kbd>
  )
}
