import {
  type ComponentProps,
  type ComponentType,
  createElement,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useState,
} from 'react'
import { maxTextLength } from '#shared/messages/messages.ts'

const mostLinesPx = 8 * 20 + 12

/** What may be formatting, whose code is loaded when it is first written. */
const maybeFormatted = /[*_~`]/

type Formatted = ComponentType<{ text: string }>

/** Where the text is written. It grows with it up to eight lines, and shows its formatting. */
export function ComposerField({
  field,
  text,
  label = 'Mensagem',
  placeholder = 'Digite sua mensagem...',
  onWrite,
  onFiles,
  ...rest
}: Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'onPaste' | 'className'> & {
  field: RefObject<HTMLTextAreaElement | null>
  text: string
  label?: string
  placeholder?: string
  onWrite: (text: string) => void
  /** Called with pasted files. */
  onFiles: (files: readonly File[]) => void
}) {
  const formatted = useFormatted(maybeFormatted.test(text))
  useLayoutEffect(() => {
    if (field.current) fit(field.current)
  }, [field, text])
  return (
    <div className="relative flex min-w-0 flex-1">
      {formatted && createElement(formatted, { text })}
      <textarea
        {...rest}
        ref={field}
        rows={1}
        dir="auto"
        value={text}
        maxLength={maxTextLength}
        aria-label={label}
        placeholder={placeholder}
        onChange={(event) => onWrite(event.target.value)}
        onPaste={(event) => {
          const files = filesIn(event.clipboardData)
          if (files.length === 0) return
          event.preventDefault()
          onFiles(files)
        }}
        className={[
          'relative min-h-8 w-full min-w-0 resize-none bg-transparent px-2 py-1.5 text-base outline-none',
          'max-md:min-h-11 max-md:py-3',
          'placeholder:text-ink-3 peer-aria-hidden:text-transparent peer-aria-hidden:caret-ink',
        ].join(' ')}
      />
    </div>
  )
}

/**
 * The files that are pasted. Spreadsheets and word processors put a picture of the text beside the text,
 * which wins; file managers put the names of the files there.
 */
function filesIn(clipboard: DataTransfer): File[] {
  const files = [...clipboard.files]
  const lines = clipboard
    .getData('text/plain')
    .split('\n')
    .map((line) => line.trim())
  const areNames = lines.every((line) => line === '' || files.some(({ name }) => line.endsWith(name)))
  const isRendering = !areNames && files.every(({ type }) => type.startsWith('image/'))
  return isRendering ? [] : files
}

/** undefined until it is loaded; the text is then shown as it was typed. */
function useFormatted(isWanted: boolean): Formatted | undefined {
  const [has, setHas] = useState<{ Formatted: Formatted }>()
  const isMissing = isWanted && !has
  useEffect(() => {
    if (!isMissing) return
    import('./formatted-text.tsx').then(
      ({ FormattedText }) => setHas({ Formatted: FormattedText }),
      (error: unknown) => console.warn('The formatting cannot be shown', error),
    )
  }, [isMissing])
  return has?.Formatted
}

function fit(element: HTMLTextAreaElement): void {
  element.style.height = 'auto'
  element.style.height = `${Math.min(element.scrollHeight, mostLinesPx)}px`
  element.style.overflowY = element.scrollHeight > mostLinesPx ? 'auto' : 'hidden'
}
