import { RichText } from '#web/ui/rich-text/rich-text.tsx'
import { useMe } from '#web/users/users.tsx'
import { previewOf, sampleValues } from './texts.ts'

/** A text as the client reads it, with sample values. */
export function TextPreview({ text }: { text: string }) {
  const me = useMe()
  return (
    <figure className="grid content-start gap-1.5">
      <figcaption className="text-xs text-ink-3 max-lg:sr-only lg:leading-5">Como o cliente vê</figcaption>
      <div className="rounded-card border border-line bg-thread p-2.5">
        {text.trim() === '' ? (
          <p className="text-sm text-ink-3">Vazio: nada é enviado.</p>
        ) : (
          <div
            dir="auto"
            className={[
              'w-fit max-w-full rounded-bubble rounded-bl-[4px] border',
              'border-line bg-surface px-2.5 pt-[7px] pb-1.5 text-base',
            ].join(' ')}
          >
            <RichText text={previewOf(text, sampleValues(me.name))} />
          </div>
        )}
      </div>
    </figure>
  )
}
