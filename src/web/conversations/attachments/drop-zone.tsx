import { Upload } from 'lucide-react'
import { useRef, useState, type DragEvent, type ReactNode } from 'react'

/** A section that accepts files dropped anywhere on it. */
export function DropZone({
  label,
  className,
  onFiles,
  children,
}: {
  /** Accessible name of the section. */
  label: string
  className: string
  /** undefined: nothing can be dropped. */
  onFiles: ((files: readonly File[]) => void) | undefined
  children: ReactNode
}) {
  // Entering a child fires before leaving its parent, so enters and leaves are counted.
  const depth = useRef(0)
  const [isOver, setIsOver] = useState(false)
  const isFiles = (event: DragEvent) => onFiles !== undefined && event.dataTransfer.types.includes('Files')
  const end = () => {
    depth.current = 0
    setIsOver(false)
  }
  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- a button takes files too
    <section
      aria-label={label}
      className={`relative ${className}`}
      onDragEnter={(event) => {
        if (!isFiles(event)) return
        depth.current += 1
        setIsOver(true)
      }}
      onDragOver={(event) => {
        if (isFiles(event)) event.preventDefault()
      }}
      onDragLeave={(event) => {
        if (!isFiles(event)) return
        depth.current -= 1
        if (depth.current <= 0) end()
      }}
      onDrop={(event) => {
        if (!isFiles(event)) return
        event.preventDefault()
        end()
        onFiles?.([...event.dataTransfer.files])
      }}
    >
      {children}
      {isOver && (
        <div
          className={[
            'pointer-events-none absolute inset-2 z-20 grid place-content-center',
            'justify-items-center gap-2 rounded-card border-2 border-dashed',
            'border-accent bg-surface/90 text-base font-medium text-accent-text',
          ].join(' ')}
        >
          <Upload aria-hidden size={32} />
          Solte os arquivos para enviar
        </div>
      )}
    </section>
  )
}
